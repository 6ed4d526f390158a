import { exampleIntent } from '../../../../test/render/example-intent.ts';
import type { AddonInput } from '../addon.ts';
import { imageReference } from '../images/mirror-rules.ts';
import { exampleAccess } from './example-access.ts';

interface Changes extends Partial<Omit<AddonInput, 'access' | 'services'>> {
  readonly access?: Partial<AddonInput['access']>;
  readonly services?: Partial<AddonInput['services']>;
}

/** The plainest cluster in a cloud that has neither Cinder nor Manila, with images from their own registries. */
export function addonInput({ access, services, ...changes }: Changes = {}): AddonInput {
  return {
    intent: exampleIntent(),
    access: { ...exampleAccess, ...access },
    services: { volumeTypes: null, defaultVolumeType: null, shareTypes: null, ...services },
    keystonePolicy: '',
    image: imagesFrom(null),
    ...changes,
  };
}

/** The references of images below a mirror's prefix; null = those of their own registries. */
export function imagesFrom(prefix: string | null): AddonInput['image'] {
  return (image) => imageReference(image, { prefix, rules: [] });
}
