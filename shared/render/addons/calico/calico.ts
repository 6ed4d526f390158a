import type { AddonInput } from '../addon.ts';
import { withTag } from '../images/image.ts';
import { type Manifest, serviceAccount } from '../manifest.ts';
import { calicoConfig } from './calico-config.ts';
import { calicoDefinitions } from './definitions/calico-definitions.ts';
import { kubeControllers } from './kube-controllers.ts';
import { calicoNode } from './node.ts';
import { calicoImages, calicoLine } from './releases.ts';
import { calicoRoles } from './roles.ts';

/** What Calico's `calico.yaml` installs: routing by BGP with IP-in-IP, Kubernetes as the datastore, no Typha. */
export function calico({ intent, image }: AddonInput): readonly Manifest[] {
  const { cni, network } = intent;
  const line = calicoLine(cni.tag);
  const tagged = (name: keyof typeof calicoImages) => image(withTag(calicoImages[name], cni.tag));
  return [
    ...['calico-node', 'calico-kube-controllers', 'calico-cni-plugin'].map((name) => serviceAccount({ name })),
    calicoConfig(line, network.podCidr),
    ...calicoDefinitions(line),
    ...calicoRoles(line),
    calicoNode({ line, podCidr: network.podCidr, nodeImage: tagged('node'), cniImage: tagged('cni') }),
    ...kubeControllers(tagged('kubeControllers')),
  ];
}
