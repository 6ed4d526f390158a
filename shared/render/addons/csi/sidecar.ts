import type { CsiSidecarTags } from '../../../magnum/cluster-intent.ts';
import { storageLabels } from '../../../magnum/labels/storage.ts';
import type { AddonInput } from '../addon.ts';
import { type Image, withTag } from '../images/image.ts';
import { type Container, type ContainerFacts, container } from './container.ts';

/** Images of kubernetes-csi, by the label that names their tag. */
export const sidecarImages: Readonly<Record<keyof CsiSidecarTags, Image>> = {
  attacher: sidecarImage('csi-attacher', 'csi_attacher_tag'),
  livenessProbe: sidecarImage('livenessprobe', 'csi_liveness_probe_tag'),
  nodeDriverRegistrar: sidecarImage('csi-node-driver-registrar', 'csi_node_driver_registrar_tag'),
  provisioner: sidecarImage('csi-provisioner', 'csi_provisioner_tag'),
  resizer: sidecarImage('csi-resizer', 'csi_resizer_tag'),
  snapshotter: sidecarImage('csi-snapshotter', 'csi_snapshotter_tag'),
};

function sidecarImage(name: string, label: keyof typeof storageLabels & `csi_${string}`): Image {
  return { repository: `registry.k8s.io/sig-storage/${name}`, tag: storageLabels[label].default };
}

/** The reference of such an image, with the tag that the cluster's label names. */
export function sidecarReference({ intent, image }: AddonInput, kind: keyof CsiSidecarTags): string {
  return image(withTag(sidecarImages[kind], intent.addons.csiSidecarTags[kind]));
}

/** Where sidecars find the socket of their driver. */
export interface DriverSocket {
  readonly volume: string;
  /** Where the volume stands in their containers. */
  readonly directory: string;
  /** `directory`/…, with or without `unix://`. */
  readonly address: string;
}

export interface Sidecar extends Omit<ContainerFacts, 'mounts'> {
  /** Beside that of the socket. */
  readonly mounts?: ContainerFacts['mounts'];
}

/** A container of kubernetes-csi that stands beside a driver. */
export function sidecar({ volume, directory, address }: DriverSocket, { args, mounts, ...rest }: Sidecar): Container {
  return container({
    ...rest,
    args: ['-v=2', `--csi-address=${address}`, ...args],
    mounts: { [directory]: volume, ...mounts },
  });
}
