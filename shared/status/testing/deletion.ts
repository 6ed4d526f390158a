import { openRecord } from '../../kubernetes/operation-record.ts';
import { deriveStatus } from '../derive-status.ts';
import type { MagnumView, Observed, ObservedCloudConfig } from '../observed.ts';
import { ago, now, observed, uuid } from './objects.ts';

/** A row of the cluster and of its two nodegroups, all of one status. */
export function magnumRows(status: string | null): MagnumView {
  const nodegroups = [
    { name: 'default-master', status, role: 'master' },
    { name: 'default-worker', status, role: 'worker' },
  ];
  return { uuid, status, nodegroups };
}

/** Somebody asked for the deletion. */
export const mark = openRecord({ id: 'e1', time: ago(10) }, 'cluster.delete', 60);
export const overdueMark = openRecord({ id: 'e1', time: ago(61) }, 'cluster.delete', 60);
/** A cloud-config Secret without a mark. */
export const secret: ObservedCloudConfig = { uuid, record: null, deleteRequested: null, created: ago(600) };
export const gone: Partial<Observed> = { cluster: null, controlPlane: undefined, machineDeployments: [], machines: [] };
export const leaving = { deletionTimestamp: ago(5) };

export function deletionStatus(changes: Partial<Observed>, view: MagnumView | null = null) {
  return deriveStatus(observed(changes), { now, magnum: view });
}
