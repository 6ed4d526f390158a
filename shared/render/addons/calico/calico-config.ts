import { configMap, type Manifest } from '../manifest.ts';
import { podNetwork } from './pod-network.ts';
import { type CalicoLine, lineFacts } from './releases.ts';

export const configName = 'calico-config';

/** Settings that the containers of calico-node share; install-cni fills in what stands between underscores. */
export function calicoConfig(line: CalicoLine, podCidr: string): Manifest {
  return configMap(
    { name: configName },
    {
      typha_service_name: 'none',
      calico_backend: 'bird',
      // Detected from the node's interfaces.
      veth_mtu: '0',
      cni_network_config: networkConfiguration(line, podCidr),
    },
  );
}

const mtu = '__CNI_MTU__';

function networkConfiguration(line: CalicoLine, podCidr: string): string {
  const configuration = {
    name: 'k8s-pod-network',
    cniVersion: lineFacts[line].cniVersion,
    plugins: [
      {
        type: 'calico',
        log_level: 'info',
        log_file_path: '/var/log/calico/cni/cni.log',
        datastore_type: 'kubernetes',
        nodename: '__KUBERNETES_NODE_NAME__',
        mtu,
        ipam: { type: 'calico-ipam', ...podNetwork(podCidr).ipam },
        policy: { type: 'k8s' },
        kubernetes: { kubeconfig: '__KUBECONFIG_FILEPATH__' },
      },
      { type: 'portmap', snat: true, capabilities: { portMappings: true } },
    ],
  };
  // A number once it is filled in.
  return JSON.stringify(configuration, null, 2).replace(`"${mtu}"`, mtu);
}
