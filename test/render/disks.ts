import { expect } from 'vitest';
import type { OperatingSystem } from '../../shared/magnum/cluster-intent.ts';
import type { ComputedNode } from './computed-cluster.ts';

/** A disk that a node has to prepare. */
export interface Disk {
  readonly volume: 'etcd' | 'docker';
  readonly device: string;
}

export const etcdDisk = (device: string): Disk => ({ volume: 'etcd', device });
export const dockerDisk = (device: string): Disk => ({ volume: 'docker', device });
const mountPaths = { etcd: '/var/lib/etcd', docker: '/var/lib/containerd' };

/** A volume as CAPO makes it. */
export function blockDevice(name: string, volume: { size: number; type: string }, zone?: string) {
  const placement = zone === undefined ? {} : { availabilityZone: { name: zone, from: 'Name' } };
  return { name, sizeGiB: volume.size, storage: { type: 'Volume', volume: { type: volume.type, ...placement } } };
}

/** cloud-init partitions the disk and mounts by label; Ignition formats the whole disk and knows its mounts by bare label. */
export function expectDisks(node: ComputedNode, system: OperatingSystem, wanted: readonly Disk[]): void {
  const flatcar = system === 'flatcar';
  const { diskSetup, mounts } = node.config;
  if (wanted.length === 0) {
    expect({ diskSetup, mounts }).toEqual({ diskSetup: undefined, mounts: undefined });
    return;
  }
  const partitions = wanted.map(({ device }) => ({ device, layout: true, overwrite: false, tableType: 'gpt' }));
  const filesystems = wanted.map(({ volume, device }) =>
    expect.objectContaining({ device, filesystem: 'ext4', label: `${volume}_disk`, overwrite: false }),
  );
  expect(diskSetup).toEqual(flatcar ? { filesystems } : { partitions, filesystems });
  expect(mounts).toEqual(wanted.map(({ volume }) => [`${flatcar ? '' : 'LABEL='}${volume}_disk`, mountPaths[volume]]));
}
