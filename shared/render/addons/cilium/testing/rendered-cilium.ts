import type { V1Container, V1PodTemplateSpec, V1Volume } from '@kubernetes/client-node';
import { exampleIntent } from '../../../../../test/render/example-intent.ts';
import type { ClusterIntent } from '../../../../magnum/cluster-intent.ts';
import type { AddonInput } from '../../addon.ts';
import { imageReference } from '../../images/mirror-rules.ts';
import type { Manifest } from '../../manifest.ts';
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
  const intent: ClusterIntent = exampleIntent({
    kubernetesVersion,
    cni: { kind: 'cilium', tag },
    network: { ...network, podCidr, serviceDomain },
    addons: { ...addons, hubbleUi },
  });
  return {
    intent,
    access: {
      authUrl: 'https://keystone.example.org/v3',
      region: 'RegionOne',
      applicationCredentialId: 'id',
      applicationCredentialSecret: 'secret',
      verify: true,
      caCertificate: '',
    },
    services: { volumeTypes: null, defaultVolumeType: null, shareTypes: null },
    keystonePolicy: '',
    image: (image) => imageReference(image, { prefix, rules: [] }),
  };
}

/**
 * The one object of a kind whose name starts so.
 * @param T what the object is known to be
 */
export function found<T>(manifests: readonly Manifest[], kind: string, start: string): T {
  const matching = manifests.filter(({ kind: each, metadata }) => each === kind && metadata.name.startsWith(start));
  const exact = matching.filter(({ metadata }) => metadata.name === start);
  const [only, ...more] = exact.length > 0 ? exact : matching;
  if (only === undefined || more.length > 0) throw new Error(`${matching.length} ${kind} ${start}`);
  return only as unknown as T;
}

export function containersOf({ spec }: V1PodTemplateSpec): readonly V1Container[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
}

/** `name path`, then what else is said. */
export function mountsOf({ volumeMounts = [] }: V1Container): readonly string[] {
  return volumeMounts
    .map(({ name, mountPath, readOnly, mountPropagation, subPath }) => {
      const words = [name, mountPath, readOnly === true ? 'read-only' : '', mountPropagation ?? '', subPath ?? ''];
      return words.filter((word) => word !== '').join(' ');
    })
    .toSorted();
}

/** Name → value, or where the value comes from. */
export function environmentOf({ env = [] }: V1Container): Record<string, string | undefined> {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => {
      if (valueFrom === undefined) return [name, value];
      const { fieldRef, configMapKeyRef, resourceFieldRef } = valueFrom;
      const optional = configMapKeyRef?.optional === true ? ' optional' : '';
      if (configMapKeyRef !== undefined) return [name, `${configMapKeyRef.name} ${configMapKeyRef.key}${optional}`];
      return [name, fieldRef === undefined ? `resource ${resourceFieldRef?.resource}` : `field ${fieldRef.fieldPath}`];
    }),
  );
}

/** `name path type` of what lies on the host. */
export function hostPathsOf(volumes: readonly V1Volume[] = []): readonly string[] {
  return volumes
    .flatMap(({ name, hostPath }) =>
      hostPath === undefined ? [] : [`${name} ${hostPath.path} ${hostPath.type ?? 'any'}`],
    )
    .toSorted();
}

/** `secret key→file …` of what a projected volume holds. */
export function secretsOf(volumes: readonly V1Volume[] = [], volume: string): readonly string[] {
  const sources = volumes.find(({ name }) => name === volume)?.projected?.sources ?? [];
  return sources.map(({ secret }) => {
    const files = (secret?.items ?? []).map(({ key, path }) => `${key}→${path}`).toSorted();
    return [secret?.name, secret?.optional === true ? 'optional' : 'needed', ...files].join(' ');
  });
}
