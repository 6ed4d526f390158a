import { RejectedError } from '../contract/errors.ts';
import type { VolumeIntent } from '../magnum/cluster-intent.ts';
import type { FlavorFacts, ImageFacts, NodeFacts } from './cloud-facts.ts';
import type { Json } from './rendered-object.ts';

/** A volume as variables hold it; one that is not made has no type, so that the cloud's default cannot change it. */
export function volumeValue(volume: VolumeIntent, facts: NodeFacts): { readonly size: number; readonly type: string } {
  return { size: volume.size, type: volume.size === 0 ? '' : (volume.type ?? facts.defaultVolumeType) };
}

/** The three variables of a volume beside the root disk. */
export function extraVolumeVariables(
  name: 'etcd' | 'docker',
  volume: VolumeIntent,
  facts: NodeFacts,
): Record<string, Json> {
  const { size, type } = volumeValue(volume, facts);
  const title = name === 'etcd' ? 'Etcd' : 'Docker';
  return { [`enable${title}Volume`]: size > 0, [`${name}VolumeSize`]: size, [`${name}VolumeType`]: type };
}

/** @throws RejectedError if the flavor was never looked up. */
export function flavorFacts(facts: NodeFacts, flavor: string): FlavorFacts {
  return known(facts.flavors, flavor, 'flavor');
}

/** @throws RejectedError if the image was never looked up. */
export function imageFacts(facts: NodeFacts, image: string): ImageFacts {
  return known(facts.images, image, 'image');
}

function known<T>(facts: Readonly<Record<string, T>>, name: string, what: string): T {
  const found = Object.hasOwn(facts, name) ? facts[name] : undefined;
  if (found !== undefined) return found;
  throw new RejectedError([{ code: 'not_found', message: `The ${what} ${JSON.stringify(name)} is not known.` }]);
}
