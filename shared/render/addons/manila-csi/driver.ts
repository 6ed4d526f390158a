import type { AddonInput } from '../addon.ts';
import { type Container, type ContainerFacts, container, nodeDirectory, privileged } from '../csi/container.ts';
import { withTag } from '../images/image.ts';
import { driverName } from './identity.ts';
import { manilaCsiImage } from './releases.ts';

/** Directory of the driver's sockets on the node. */
export const pluginDirectory = `/var/lib/kubelet/plugins/${driverName}`;

/** Where the NFS driver listens, which does the mounting. */
const nfsDirectory = '/var/lib/kubelet/plugins/csi-nfsplugin';

/** Volumes of both components; the authority of the cloud is read at each call, by the nodes' part too. */
export const volumes = [
  nodeDirectory('nfs-plugin-dir', pluginDirectory, 'DirectoryOrCreate'),
  { name: 'cloud-config', secret: { secretName: 'cloud-config', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
];

export function forwardingVolume(type: 'Directory' | 'DirectoryOrCreate') {
  return nodeDirectory('nfs-fwd-plugin-dir', nfsDirectory, type);
}

interface DriverPlace {
  /** In its directory. */
  readonly socketFile: string;
  readonly mounts?: ContainerFacts['mounts'];
}

/** The driver itself, as it stands in both components. */
export function driver({ intent, image }: AddonInput, { socketFile, mounts }: DriverPlace): Container {
  return container({
    name: 'nfs-nodeplugin',
    image: image(withTag(manilaCsiImage, intent.addons.manilaCsi.pluginTag)),
    command: ['/bin/manila-csi-plugin'],
    args: [
      '-v=2',
      `--endpoint=unix://${pluginDirectory}/${socketFile}`,
      `--drivername=${driverName}`,
      '--share-protocol-selector=NFS',
      `--fwdendpoint=unix://${nfsDirectory}/csi.sock`,
    ],
    mounts: {
      [pluginDirectory]: 'nfs-plugin-dir',
      [nfsDirectory]: 'nfs-fwd-plugin-dir',
      '/etc/config': { name: 'cloud-config', readOnly: true },
      ...mounts,
    },
    securityContext: privileged,
  });
}
