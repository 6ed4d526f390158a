import type { V1Container } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { nodeContainer, ofConfig, ofNode, serviceEndpoint } from './node-container.ts';
import { mountedAt } from './node-volumes.ts';

/** References of images. */
export interface NodeImages {
  /** Of `calico/node`. */
  readonly nodeImage: string;
  /** Of `calico/cni`. */
  readonly cniImage: string;
}

/** What runs on a node before its agent: addresses of an older IPAM are taken over, then the CNI plugin is installed. */
export function initContainers({ cniImage, nodeImage }: NodeImages): Wire<V1Container>[] {
  return [upgradeIpam(cniImage), installCni(cniImage), ebpfBootstrap(nodeImage)];
}

function upgradeIpam(image: string): Wire<V1Container> {
  return nodeContainer(
    { name: 'upgrade-ipam', image },
    {
      command: ['/opt/cni/bin/calico-ipam', '-upgrade'],
      envFrom: serviceEndpoint,
      env: [ofNode('KUBERNETES_NODE_NAME'), ofConfig('CALICO_NETWORKING_BACKEND', 'calico_backend')],
      volumeMounts: [
        mountedAt('/var/lib/cni/networks', 'host-local-net-dir'),
        mountedAt('/host/opt/cni/bin', 'cni-bin-dir'),
      ],
    },
  );
}

function installCni(image: string): Wire<V1Container> {
  return nodeContainer(
    { name: 'install-cni', image },
    {
      command: ['/opt/cni/bin/install'],
      envFrom: serviceEndpoint,
      env: [
        { name: 'CNI_CONF_NAME', value: '10-calico.conflist' },
        ofConfig('CNI_NETWORK_CONFIG', 'cni_network_config'),
        ofNode('KUBERNETES_NODE_NAME'),
        ofConfig('CNI_MTU', 'veth_mtu'),
        { name: 'SLEEP', value: 'false' },
      ],
      volumeMounts: [mountedAt('/host/opt/cni/bin', 'cni-bin-dir'), mountedAt('/host/etc/cni/net.d', 'cni-net-dir')],
    },
  );
}

/** Mounts what the eBPF dataplane would need; without it the node works all the same. */
function ebpfBootstrap(image: string): Wire<V1Container> {
  return nodeContainer(
    { name: 'ebpf-bootstrap', image },
    {
      command: ['calico-node', '-init', '-best-effort'],
      volumeMounts: [
        { ...mountedAt('/sys/fs', 'sys-fs'), mountPropagation: 'Bidirectional' },
        { ...mountedAt('/var/run/calico', 'var-run-calico'), mountPropagation: 'Bidirectional' },
        { ...mountedAt('/nodeproc', 'nodeproc'), readOnly: true },
      ],
    },
  );
}
