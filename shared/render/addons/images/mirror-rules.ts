import { splitList } from '../../../magnum/syntax/scalar.ts';
import type { Parse } from '../../../magnum/syntax/text-format.ts';
import type { Image } from './image.ts';

/** Where images of a registry path stand below the mirror's prefix; `*` stands for the last part of the name. */
export interface MirrorRule {
  /** E.g. `quay.io/cilium/*`, or the name of one image. */
  readonly from: string;
  /** E.g. `cilium-*`. */
  readonly to: string;
}

/**
 * How a registry is laid out that mirrors the images by the rules of magnum-cluster-api (original-facts §5.2): the last part
 * of the name alone, but for those that would not be told apart.
 */
export const defaultMirrorRules: readonly MirrorRule[] = [
  { from: 'registry.k8s.io/sig-storage/livenessprobe', to: 'csi-livenessprobe' },
  { from: 'registry.k8s.io/sig-storage/*', to: '*' },
  { from: 'registry.k8s.io/provider-os/*', to: '*' },
  { from: 'registry.k8s.io/*', to: '*' },
  { from: 'quay.io/calico/*', to: 'calico/*' },
  { from: 'quay.io/cilium/*', to: 'cilium-*' },
];

/** Where images come from. */
export interface ImageSource {
  /** Registry path without trailing slash; null = the upstream registries. */
  readonly prefix: string | null;
  /** The operator's own, which go before the default ones. */
  readonly rules: readonly MirrorRule[];
}

/**
 * The reference of an image as a container names it. Under a mirror it has no digest: registries that repack images change
 * them. An image without a rule is looked for by the last part of its name; a test holds that no add-on has one.
 */
export function imageReference(image: Image, { prefix, rules }: ImageSource): string {
  const { repository, tag, digest } = image;
  if (prefix === null) return digest === undefined ? `${repository}:${tag}` : `${repository}:${tag}@${digest}`;
  return `${prefix}/${mirroredName(repository, rules) ?? repository.slice(repository.lastIndexOf('/') + 1)}:${tag}`;
}

/** The name below the prefix by the first rule that fits; null where none does. */
export function mirroredName(repository: string, rules: readonly MirrorRule[]): string | null {
  const end = repository.lastIndexOf('/') + 1;
  const [path, name] = [repository.slice(0, end), repository.slice(end)];
  const rule = [...rules, ...defaultMirrorRules].find(({ from }) => from === repository || from === `${path}*`);
  return rule === undefined ? null : rule.to.replace('*', name);
}

const source = /^[a-z0-9][a-z0-9.:-]*(?:\/[a-z0-9._-]+)*\/(?:\*|[a-z0-9._-]+)$/;
const target = /^(?:[a-z0-9._-]+\/)*[a-z0-9._-]*\*?[a-z0-9._-]*$/;

/**
 * Reads the rules of Magnum's option `[capi_functions] image_rules`: `from=to`, separated by commas, e.g.
 * `quay.io/cilium/*=cilium/*,registry.k8s.io/pause=k8s/pause`.
 */
export const mirrorRules: Parse<readonly MirrorRule[]> = (text) => {
  const rules: MirrorRule[] = [];
  for (const entry of splitList(text)) {
    const [from = '', to = '', ...more] = entry.split('=').map((part) => part.trim());
    if (more.length > 0 || to === '' || !source.test(from) || !target.test(to)) {
      return {
        problem: `is no list of rules such as quay.io/cilium/*=cilium/* (${JSON.stringify(entry.slice(0, 80))})`,
      };
    }
    rules.push({ from, to });
  }
  return { value: rules };
};
