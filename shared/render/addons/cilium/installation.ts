import { kubernetesMinor } from '../../../magnum/syntax/kubernetes-version.ts';
import type { AddonInput } from '../addon.ts';
import { type CiliumLine, ciliumImages, ciliumLine } from './releases.ts';

type ImageName = keyof ReturnType<typeof ciliumImages>;

/** What the parts of one installation of Cilium depend on. */
export interface Installation {
  readonly line: CiliumLine;
  /** References of the images; Envoy has none where it runs inside the agent. */
  readonly images: Readonly<Record<Exclude<ImageName, 'envoy'>, string>> & { readonly envoy: string | null };
  readonly podCidr: string;
  readonly ipFamily: 'ipv4' | 'ipv6';
  /** Address of the node itself, as a host part of a URL has it and without brackets. */
  readonly loopback: '127.0.0.1' | '::1';
  readonly serviceDomain: string;
  readonly kubernetesMinor: number;
  readonly hubbleUi: boolean;
}

export function installation({ intent, image }: AddonInput): Installation {
  const { cni, network, addons } = intent;
  const { agent, operator, hubbleRelay, certgen, hubbleUi, hubbleUiBackend, envoy } = ciliumImages(cni.tag);
  const isIpv6 = network.podCidr.includes(':');
  return {
    line: ciliumLine(cni.tag),
    images: {
      agent: image(agent),
      operator: image(operator),
      hubbleRelay: image(hubbleRelay),
      certgen: image(certgen),
      hubbleUi: image(hubbleUi),
      hubbleUiBackend: image(hubbleUiBackend),
      envoy: envoy === undefined ? null : image(envoy),
    },
    podCidr: network.podCidr,
    ipFamily: isIpv6 ? 'ipv6' : 'ipv4',
    loopback: isIpv6 ? '::1' : '127.0.0.1',
    serviceDomain: network.serviceDomain,
    kubernetesMinor: kubernetesMinor(intent.kubernetesVersion),
    hubbleUi: addons.hubbleUi,
  };
}
