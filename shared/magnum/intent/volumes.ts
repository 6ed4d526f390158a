import type { NodegroupIntent, VolumeIntent } from '../cluster-intent.ts';
import type { FieldReader } from '../reading/field-reader.ts';
import type { LabelReader } from '../reading/label-reader.ts';
import type { MagnumSnapshot } from '../snapshot.ts';
import { count } from '../syntax/scalar.ts';

const gibibytes = count({ unit: 'GiB' });

export function bootVolumeIntent(labels: LabelReader, { cinder }: MagnumSnapshot['options']): VolumeIntent {
  return {
    size: labels.read('boot_volume_size') ?? cinder.default_boot_volume_size,
    type: labels.read('boot_volume_type') ?? textOrNull(cinder.default_boot_volume_type),
  };
}

function textOrNull(option: string): string | null {
  return option === '' ? null : option;
}

/** Zones of the machines and of the volume that they boot from, which may have zones of its own. */
export function zonesOf(labels: LabelReader): Pick<NodegroupIntent, 'availabilityZone' | 'bootVolumeAvailabilityZone'> {
  const availabilityZone = labels.read('availability_zone');
  return {
    availabilityZone,
    bootVolumeAvailabilityZone: labels.read('boot_volume_availability_zone') ?? availabilityZone,
  };
}

/** `rows` in the order in which they are asked for the size; 0 is an answer, not a volume. */
export function dockerVolumeIntent(labels: LabelReader, ...rows: readonly FieldReader[]): VolumeIntent {
  const sizes = rows.map((row) => row.read('docker_volume_size', gibibytes));
  return { size: sizes.find((size) => size !== null) ?? 0, type: labels.read('docker_volume_type') };
}

export function etcdVolumeIntent(labels: LabelReader): VolumeIntent {
  return { size: labels.read('etcd_volume_size'), type: labels.read('etcd_volume_type') };
}
