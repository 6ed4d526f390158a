import type { AddonInput } from '../addon.ts';
import { type Container, container, healthChecked, nodeDirectory, nodeName, privileged } from '../csi/container.ts';
import { sidecar, sidecarReference } from '../csi/sidecar.ts';
import { withTag } from '../images/image.ts';
import { daemonSet, type Manifest } from '../manifest.ts';
import { accounts, cloudConfig, driverName, selector } from './identity.ts';
import { cinderCsiImage } from './releases.ts';

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
    {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: accounts.node,
          hostNetwork: true,
          dnsPolicy: 'ClusterFirstWithHostNet',
          containers: [...sidecars(input), driver(input)],
          volumes,
          tolerations: [{ operator: 'Exists' }],
        },
      },
    },
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

function driver({ intent, image }: AddonInput): Container {
  return container({
    name: 'cinder-csi-plugin',
    image: image(withTag(cinderCsiImage, intent.addons.cinderCsi.pluginTag)),
    args: [
      '/bin/cinder-csi-plugin',
      '-v=2',
      '--endpoint=unix://csi/csi.sock',
      '--provide-controller-service=false',
      cloudConfig.argument,
    ],
    mounts: {
      '/csi': 'socket-dir',
      [kubelet]: { name: 'kubelet-dir', mountPropagation: 'Bidirectional' },
      '/dev': { name: 'pods-probe-dir', mountPropagation: 'HostToContainer' },
      ...cloudConfig.mounts,
    },
    securityContext: privileged,
    ...healthChecked(9808, { initialDelaySeconds: 10, periodSeconds: 60 }),
  });
}
