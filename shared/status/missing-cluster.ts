import type { DerivedStatus } from './derive-status.ts';
import type { MagnumView } from './observed.ts';
import { actionOfStatus, isOverdue } from './operations.ts';
import { type NodegroupReport, overdueSentences, type Progress } from './progress.ts';
import { composeReason } from './reason/compose-reason.ts';
import { rowName, type StatusBasis } from './status-basis.ts';

/** A create is answered within a minute, and writes the Cluster soon after the cloud-config Secret; so does a repeated one. */
const createMs = 60_000;

/** What Magnum may be told of a cluster whose Cluster is not there. */
export function missingClusterStatus(basis: StatusBasis): DerivedStatus | null {
  const uuid = basis.state.cloudConfig?.uuid ?? basis.magnum?.uuid ?? null;
  const progress = progressOf(basis);
  if (uuid === null || progress === null) return null;
  const report = {
    cluster_uuid: uuid,
    stack_id: basis.state.stackId,
    ...progress,
    api_address: null,
    coe_version: null,
    nodegroups: nodegroupReports(basis.magnum?.nodegroups ?? [], progress),
  };
  return { report, completed: [], isOpen: progress.state === 'IN_PROGRESS' };
}

/** The cloud-config Secret is deleted last, and only its delete mark tells a deletion from a loss (design §4). */
function progressOf(basis: StatusBasis): Progress | null {
  const { state, magnum } = basis;
  const { cloudConfig } = state;
  if (cloudConfig === undefined) return null;
  if (cloudConfig !== null && cloudConfig.deleteRequested !== null) return cleaningUp(basis);
  if (isBeingCreated(basis)) {
    return {
      operation: null,
      action: 'CREATE',
      state: 'IN_PROGRESS',
      status_reason: 'The cluster is not in the management cluster yet.',
    };
  }
  // Nothing came of it, and Magnum knows why.
  if (magnum?.status === 'CREATE_FAILED') return null;
  const action = actionOfStatus(magnum?.status ?? null);
  if (cloudConfig === null && action === 'DELETE')
    return { operation: null, action, state: 'COMPLETE', status_reason: null };
  const status_reason = `The Cluster ${state.stackId} is missing in the management cluster, and nobody asked this driver to delete it.`;
  return { operation: null, action, state: 'FAILED', status_reason };
}

/** What nobody but an operator can remove does not keep a deletion from its end, but is told. */
function cleaningUp({ state, now }: StatusBasis): Progress {
  const { isDone, remaining } = state.cleanUp ?? { isDone: false, remaining: [] };
  const record = state.cloudConfig?.deleteRequested ?? null;
  const operation = record?.id ?? null;
  if (isDone) return { operation, action: 'DELETE', state: 'COMPLETE', status_reason: composeReason(remaining) };
  const progress = record !== null && isOverdue(record, now) ? 'FAILED' : 'IN_PROGRESS';
  const status_reason = composeReason([
    ...overdueSentences('Deleting the cluster', record, progress),
    'The cluster is gone, and what was made for it in the cloud is being cleaned up.',
    ...remaining,
  ]);
  return { operation, action: 'DELETE', state: progress, status_reason };
}

function isBeingCreated({ state, magnum, now }: StatusBasis): boolean {
  if (magnum !== null && magnum.status !== null) return magnum.status === 'CREATE_IN_PROGRESS';
  const created = state.cloudConfig?.created ?? null;
  return created !== null && now.getTime() - created < createMs;
}

function nodegroupReports(rows: MagnumView['nodegroups'], progress: Progress): NodegroupReport[] {
  const names = new Set(rows.map(rowName));
  return Array.from(names, (name) => ({ name, ...progress, node_count: null, node_addresses: [] }));
}
