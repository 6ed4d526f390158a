import {
  defaultVolumeType,
  type Flavor,
  findImage,
  type Image,
  listFlavors,
  listVolumeTypes,
  matchFlavor,
  type Session,
} from 'openstack-client-ts';
import type { ClusterIntent, NodegroupIntent, VolumeIntent } from '../magnum/cluster-intent.ts';
import type { NodeFacts } from '../render/cloud-facts.ts';
import type { FaultCollector } from './cloud-faults.ts';

/** What the nodes of one group use, and where the user wrote it. */
export interface NodeNeeds {
  readonly flavor: string;
  readonly flavorField: string;
  readonly image: string;
  readonly imageField: string;
  /** The first is the root disk; the label of its type names it in a fault. */
  readonly volumes: readonly { readonly label: string; readonly volume: VolumeIntent }[];
}

export function controlPlaneNeeds(intent: ClusterIntent): NodeNeeds {
  return {
    flavor: intent.controlPlane.flavor,
    flavorField: 'cluster.master_flavor_id',
    image: intent.controlPlane.image,
    imageField: 'cluster_template.image_id',
    volumes: [
      { label: 'boot_volume_type', volume: intent.bootVolume },
      { label: 'docker_volume_type', volume: intent.dockerVolume },
      { label: 'etcd_volume_type', volume: intent.etcdVolume },
    ],
  };
}

export function nodegroupNeeds(nodegroup: NodegroupIntent): NodeNeeds {
  return {
    flavor: nodegroup.flavor,
    flavorField: `nodegroups.${nodegroup.name}.flavor_id`,
    image: nodegroup.image,
    imageField: `nodegroups.${nodegroup.name}.image_id`,
    volumes: [
      { label: 'boot_volume_type', volume: nodegroup.bootVolume },
      { label: 'docker_volume_type', volume: nodegroup.dockerVolume },
    ],
  };
}

/** Looks up what nodes need; faults are left in the collector. */
export async function resolveNodeFacts(
  session: Session,
  groups: readonly NodeNeeds[],
  faults: FaultCollector,
): Promise<NodeFacts> {
  const [flavors, images, volumeType] = await Promise.all([
    resolveFlavors(session, groups, faults),
    resolveImages(session, groups, faults),
    resolveVolumeTypes(session, groups, faults),
  ]);
  for (const group of groups) {
    const flavor = flavors.get(group.flavor);
    if (flavor === undefined) continue;
    checkRootDisk(group, { flavor, image: images.get(group.image) }, faults);
    checkExtraDisks(group, flavor, faults);
  }
  return {
    flavors: Object.fromEntries(
      [...flavors].map(([asked, { name, vcpus, ram, disk }]) => [asked, { name, vcpus, ram, disk }]),
    ),
    images: Object.fromEntries(
      [...images].map(([asked, image]) => [asked, { id: image.id, diskBus: image.properties['hw_disk_bus'] ?? '' }]),
    ),
    defaultVolumeType: volumeType,
  };
}

async function resolveFlavors(session: Session, groups: readonly NodeNeeds[], faults: FaultCollector) {
  const found = new Map<string, Flavor>();
  const known = await faults.lookUp('cluster.flavor_id', () => listFlavors(session));
  if (known === null) return found;
  for (const { flavor: asked, flavorField } of groups) {
    const flavor = await faults.lookUp(flavorField, () => matchFlavor(known, asked));
    if (flavor !== null) found.set(asked, flavor);
  }
  return found;
}

async function resolveImages(session: Session, groups: readonly NodeNeeds[], faults: FaultCollector) {
  const fields = new Map(groups.toReversed().map(({ image, imageField }) => [image, imageField]));
  const found = new Map<string, Image>();
  await Promise.all(
    [...fields].map(async ([asked, field]) => {
      const image = await faults.lookUp(field, () => findImage(session, asked));
      if (image === null) return;
      if (image.status === 'active') found.set(asked, image);
      else
        faults.add({ code: 'not_found', message: `Field ${field}: image "${image.name}" is ${image.status}.`, field });
    }),
  );
  return found;
}

/** Checks every volume type that is named, and gives the cloud's default if a volume names none. */
async function resolveVolumeTypes(
  session: Session,
  groups: readonly NodeNeeds[],
  faults: FaultCollector,
): Promise<string> {
  const volumes = groups.flatMap((group) => group.volumes).filter(({ volume }) => volume.size > 0);
  const [, byDefault] = await Promise.all([
    checkVolumeTypes(session, volumes, faults),
    volumes.some(({ volume }) => volume.type === null)
      ? faults.lookUp('labels.boot_volume_size', () => defaultVolumeType(session))
      : null,
  ]);
  return byDefault?.name ?? '';
}

async function checkVolumeTypes(session: Session, volumes: NodeNeeds['volumes'], faults: FaultCollector) {
  const named = new Map(volumes.flatMap(({ label, volume }) => (volume.type === null ? [] : [[volume.type, label]])));
  if (named.size === 0) return;
  const [firstLabel = ''] = named.values();
  const known = await faults.lookUp(`labels.${firstLabel}`, () => listVolumeTypes(session));
  if (known === null) return;
  for (const [asked, label] of named) {
    if (known.some(({ id, name }) => id === asked || name === asked)) continue;
    faults.add({
      code: 'not_found',
      message: `Label ${label}: the cloud has no volume type ${quoted(asked)}.`,
      field: `labels.${label}`,
    });
  }
}

interface RootDisk {
  readonly flavor: Flavor;
  readonly image: Image | undefined;
}

function checkRootDisk(group: NodeNeeds, { flavor, image }: RootDisk, faults: FaultCollector): void {
  const bootVolumeSize = group.volumes[0]?.volume.size ?? 0;
  const size = bootVolumeSize > 0 ? bootVolumeSize : flavor.disk;
  if (size === 0) {
    faults.add({
      code: 'invalid_field',
      message: `Field ${group.flavorField}: flavor ${quoted(flavor.name)} has no disk and label boot_volume_size is not set.`,
      field: group.flavorField,
      hint: 'Set boot_volume_size or choose a flavor with a disk.',
    });
  } else if (image !== undefined && image.minDisk > size) {
    faults.add({
      code: 'invalid_field',
      message: `Field ${group.imageField}: image ${quoted(image.name)} needs a disk of ${image.minDisk} GiB, but the nodes get ${size} GiB.`,
      field: group.imageField,
    });
  }
}

/** The nodes find an etcd or docker volume by its device name, which an ephemeral or swap disk would take. */
function checkExtraDisks(group: NodeNeeds, flavor: Flavor, faults: FaultCollector): void {
  const hasVolumes = group.volumes.slice(1).some(({ volume }) => volume.size > 0);
  if (!hasVolumes || (flavor.ephemeral === 0 && flavor.swap === 0)) return;
  faults.add({
    code: 'invalid_field',
    message: `Field ${group.flavorField}: flavor ${quoted(flavor.name)} has an ephemeral or swap disk, beside which etcd and docker volumes are not found.`,
    field: group.flavorField,
    hint: 'Choose a flavor without them, or no etcd_volume_size and docker_volume_size.',
  });
}

/** Long names are cut: a message is one readable sentence. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
