import type { AddonInput } from '../addon.ts';
import { nodeDirectory, nodeName } from '../csi/container.ts';
import { sidecar, sidecarReference } from '../csi/sidecar.ts';
import { daemonSet, type Manifest, podsOf } from '../manifest.ts';
import { driver, forwardingVolume, pluginDirectory, volumes } from './driver.ts';
import { componentName, selector } from './identity.ts';

const socketFile = 'csi.sock';
const socket = { volume: 'nfs-plugin-dir', directory: '/csi', address: `/csi/${socketFile}` };

/** Finds out how a share is mounted, and lets the NFS driver of the node do it. */
export function manilaNode(input: AddonInput): Manifest {
  const name = componentName('nodeplugin');
  const labels = selector('nodeplugin');
  const registrar = sidecar(socket, {
    name: 'nfs-registrar',
    image: sidecarReference(input, 'nodeDriverRegistrar'),
    args: [`--kubelet-registration-path=${pluginDirectory}/${socketFile}`],
    variables: { KUBE_NODE_NAME: nodeName },
    mounts: { '/registration': 'registration-dir' },
  });
  return daemonSet(
    { name, labels },
    podsOf(labels, {
      serviceAccountName: name,
      hostNetwork: true,
      dnsPolicy: 'ClusterFirstWithHostNet',
      containers: [registrar, driver(input, { socketFile })],
      volumes: [
        nodeDirectory('registration-dir', '/var/lib/kubelet/plugins_registry'),
        ...volumes,
        forwardingVolume('DirectoryOrCreate'),
      ],
      tolerations: [{ operator: 'Exists' }],
    }),
  );
}
