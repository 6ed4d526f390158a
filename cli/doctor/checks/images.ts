import { listAt, textAt } from '../../../shared/status/views/json-part.ts';
import { type Check, failure, goodUnless, skipped, warning } from '../check.ts';
import { installed, wantedNames } from '../installed-objects.ts';
import { observedTypes } from '../observed-types.ts';

/** What stands in knative/base in the place of an installation's own image. */
const placeholder = 'magnum-capi-functions';

export const imagesCheck: Check = {
  id: 'images',
  description: 'All functions run the same image, of the release of this command.',
  remedy: 'Say one image for all functions in the kustomization of your installation, and apply it.',
  needs: ['knative-serving', 'namespace'],
  async run(surroundings) {
    const names = wantedNames(surroundings, observedTypes.knativeService);
    const services = (await installed(surroundings, observedTypes.knativeService)).filter(({ metadata }) =>
      names.includes(metadata?.name ?? ''),
    );
    if (services.length === 0) return [skipped('There is no function.')];
    const images = Map.groupBy(services, imageOf);
    const several = [...images].map(
      ([image, users]) => `${users.map(({ metadata }) => metadata?.name).join(', ')} ${image}`,
    );
    const [image = ''] = images.keys();
    const problems = [
      ...(images.size > 1 ? [failure(`The functions run several images: ${several.join('; ')}.`)] : []),
      ...(images.has(placeholder) ? [failure(`The image is still the placeholder ${placeholder}.`)] : []),
    ];
    return goodUnless(
      problems.length > 0 ? problems : otherRelease(image, surroundings.version),
      `The functions run ${image}.`,
    );
  },
};

function imageOf(service: unknown): string {
  const [container] = listAt(service, 'spec', 'template', 'spec', 'containers');
  return textAt(container, 'image') ?? '';
}

/** A tag that names another release. */
export function otherRelease(image: string, version: string) {
  const [, tag] = /:v?(\d+\.\d+\.\d+[\w.-]*)(?:@|$)/.exec(image) ?? [];
  if (tag === undefined || tag === version) return [];
  return [warning(`The functions are of release ${tag}, and this command is of ${version}.`)];
}
