import { exampleIntent } from '../../../../../test/render/example-intent.ts';
import type { AddonInput } from '../../addon.ts';
import type { Manifest } from '../../manifest.ts';
import { addonInput, imagesFrom } from '../../testing/addon-input.ts';
import { find } from '../../testing/manifests.ts';
import { cilium } from '../cilium.ts';
import type { CiliumLine } from '../releases.ts';

export interface Situation {
  /** @default true */
  readonly hubbleUi?: boolean;
  /** @default '10.100.0.0/16' */
  readonly podCidr?: string;
  /** @default 'cluster.local' */
  readonly serviceDomain?: string;
  /** @default 'v1.34.1' */
  readonly kubernetesVersion?: string;
  /** @default null */
  readonly prefix?: string | null;
}

/** The releases that the facts are from. */
export const tags: Readonly<Record<CiliumLine, string>> = { 'v1.15': 'v1.15.3', 'v1.20': 'v1.20.0' };

export const lines = ['v1.15', 'v1.20'] as const satisfies readonly CiliumLine[];

export function renderedCilium(tag: string, situation: Situation = {}): readonly Manifest[] {
  return cilium(ciliumInput(tag, situation));
}

function ciliumInput(tag: string, situation: Situation): AddonInput {
  const { addons, network } = exampleIntent();
  const { hubbleUi = true, kubernetesVersion = 'v1.34.1', prefix = null } = situation;
  const { podCidr = network.podCidr, serviceDomain = network.serviceDomain } = situation;
  const intent = exampleIntent({
    kubernetesVersion,
    cni: { kind: 'cilium', tag },
    network: { ...network, podCidr, serviceDomain },
    addons: { ...addons, hubbleUi },
  });
  return addonInput({ intent, image: imagesFrom(prefix) });
}

type KindAndName = readonly [kind: string, name: string];

/**
 * One object of a line's release.
 * @param T what the object is known to be
 */
export function renderedObject<T>(line: CiliumLine, [kind, name]: KindAndName, situation: Situation = {}): T {
  return find<T>(renderedCilium(tags[line], situation), kind, name);
}
