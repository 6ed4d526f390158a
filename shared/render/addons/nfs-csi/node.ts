import type { AddonInput } from '../addon.ts';
import { type Container, nodeDirectory, nodeName } from '../csi/container.ts';
import { sidecar } from '../csi/sidecar.ts';
import { daemonSet, type Manifest, podsOf } from '../manifest.ts';
import { accounts } from './accounts.ts';
import { driverContainers, podMounts, resources, socket } from './containers.ts';
import { nfsCsiImages } from './releases.ts';

const name = 'csi-nfs-node';
const plugin = '/var/lib/kubelet/plugins/csi-nfsplugin';
const registration = `--kubelet-registration-path=${plugin}/csi.sock`;

const volumes = [
  nodeDirectory('socket-dir', plugin, 'DirectoryOrCreate'),
  nodeDirectory('pods-mount-dir', podMounts),
  nodeDirectory('registration-dir', '/var/lib/kubelet/plugins_registry'),
];

/** Mounts exports on every node; Manila CSI hands it its calls by the same socket. */
export function nfsNode(input: AddonInput): Manifest {
  const labels = { app: name };
  return daemonSet(
    { name },
    {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      ...podsOf(labels, {
        serviceAccountName: accounts.node,
        hostNetwork: true,
        dnsPolicy: 'Default',
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        containers: [registrar(input), ...driverContainers(input, { healthPort: 29653, memory: '300Mi' })],
        volumes,
        tolerations: [{ operator: 'Exists' }],
      }),
    },
  );
}

function registrar({ image }: AddonInput): Container {
  return sidecar(socket, {
    name: 'node-driver-registrar',
    image: image(nfsCsiImages.nodeDriverRegistrar),
    args: [registration],
    variables: { KUBE_NODE_NAME: nodeName },
    mounts: { '/registration': 'registration-dir' },
    resources: resources('100Mi'),
    livenessProbe: {
      exec: { command: ['/csi-node-driver-registrar', registration, '--mode=kubelet-registration-probe'] },
      initialDelaySeconds: 30,
      timeoutSeconds: 15,
    },
  });
}
