import type { AddonInput } from '../addon.ts';
import { type Container, nodeDirectory, nodeName, privileged } from '../csi/container.ts';
import { sidecar, sidecarReference } from '../csi/sidecar.ts';
import { daemonSet, type Manifest, podsOf } from '../manifest.ts';
import { driver } from './driver.ts';
import { accounts, cloudConfig, driverName, selector } from './identity.ts';

const kubelet = '/var/lib/kubelet';
const plugin = `${kubelet}/plugins/${driverName}`;
const socket = { volume: 'socket-dir', directory: '/csi', address: '/csi/csi.sock' };

const volumes = [
  nodeDirectory('socket-dir', plugin, 'DirectoryOrCreate'),
  nodeDirectory('registration-dir', `${kubelet}/plugins_registry/`),
  nodeDirectory('kubelet-dir', kubelet),
  nodeDirectory('pods-probe-dir', '/dev'),
  cloudConfig.volume,
];

/** Mounts volumes on every node. */
export function cinderNode(input: AddonInput): Manifest {
  const labels = selector('nodeplugin');
  return daemonSet(
    { name: 'openstack-cinder-csi-nodeplugin', labels },
    podsOf(labels, {
      serviceAccountName: accounts.node,
      hostNetwork: true,
      dnsPolicy: 'ClusterFirstWithHostNet',
      containers: [...sidecars(input), nodeDriver(input)],
      volumes,
      tolerations: [{ operator: 'Exists' }],
    }),
  );
}

function sidecars(input: AddonInput): readonly Container[] {
  return [
    sidecar(socket, {
      name: 'node-driver-registrar',
      image: sidecarReference(input, 'nodeDriverRegistrar'),
      args: [`--kubelet-registration-path=${plugin}/csi.sock`],
      variables: { KUBE_NODE_NAME: nodeName },
      mounts: { '/registration': 'registration-dir' },
    }),
    sidecar(socket, { name: 'liveness-probe', image: sidecarReference(input, 'livenessProbe'), args: [] }),
  ];
}

function nodeDriver(input: AddonInput): Container {
  return driver(input, {
    args: ['--provide-controller-service=false', cloudConfig.argument],
    mounts: {
      [kubelet]: { name: 'kubelet-dir', mountPropagation: 'Bidirectional' },
      '/dev': { name: 'pods-probe-dir', mountPropagation: 'HostToContainer' },
      ...cloudConfig.mounts,
    },
    securityContext: privileged,
  });
}
