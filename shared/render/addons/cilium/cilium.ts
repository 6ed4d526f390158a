import type { AddonInput } from '../addon.ts';
import { type Manifest, serviceAccount } from '../manifest.ts';
import { agent } from './agent.ts';
import { ciliumConfig } from './cilium-config.ts';
import { envoy } from './envoy.ts';
import { hubbleCertificates } from './hubble-certificates.ts';
import { hubblePeer, hubbleRelay } from './hubble-relay.ts';
import { hubbleUi } from './hubble-ui.ts';
import { installation } from './installation.ts';
import { operator } from './operator.ts';
import { roles } from './roles.ts';
import { secretsNamespaceManifests } from './secrets-namespace.ts';

/**
 * What Cilium's Helm chart installs beside kube-proxy: VXLAN tunnels, pod networks from one pool, the portmap plugin chained
 * for host ports, Hubble with certificates by certgen. The operator registers the custom resource definitions itself.
 */
export function cilium(input: AddonInput): readonly Manifest[] {
  const parts = installation(input);
  return [
    ...secretsNamespaceManifests(parts),
    serviceAccount({ name: 'cilium' }),
    serviceAccount({ name: 'cilium-operator' }),
    ciliumConfig(parts),
    ...roles(parts),
    agent(parts),
    operator(parts),
    ...envoy(parts),
    hubblePeer(),
    ...hubbleCertificates(parts),
    ...(parts.hubbleUi ? [...hubbleRelay(parts), ...hubbleUi(parts)] : []),
  ];
}
