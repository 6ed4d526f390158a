import type { CapoContext } from './capo-context.ts';
import { type ConditionState, falseCondition, setCondition } from './condition.ts';
import type { Cluster, OpenStackCluster } from './infrastructure-objects.ts';

/** An OpenStackCluster while it is reconciled. */
export interface ClusterWork {
  readonly context: CapoContext;
  readonly cluster: Cluster;
  /** Changed in place; what changed is written at the end, after a failure too. */
  readonly draft: OpenStackCluster;
  readonly projectId: string;
}

export type ClusterStatus = NonNullable<OpenStackCluster['status']>;

export function statusOf(draft: OpenStackCluster): ClusterStatus {
  draft.status ??= {};
  return draft.status;
}

export function mark(draft: OpenStackCluster, state: ConditionState): void {
  const status = statusOf(draft);
  status.conditions = setCondition(status.conditions ?? [], state, new Date());
}

/** Name of all that CAPO makes in OpenStack for a cluster (pkg/utils/names, networking, loadbalancer). */
export function resourceName({ metadata: { namespace, name } }: Cluster): string {
  return `k8s-clusterapi-cluster-${namespace}-${name}`;
}

/** Says on Ready what failed; what is fatal CAPO also writes as a failure (handleUpdateOSCError). */
export function markFailed(draft: OpenStackCluster, error: Error, { fatal }: { readonly fatal: boolean }): void {
  if (fatal) {
    const status = statusOf(draft);
    status.failureReason = 'UpdateError';
    status.failureMessage = error.message;
  }
  const severity = fatal ? 'Error' : 'Warning';
  mark(draft, falseCondition('Ready', { reason: 'OpenStackError', severity, message: error.message }));
}

/** An error as Go wraps it. */
export function wrapped(what: string, cause: unknown): Error {
  return new Error(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

/** A filter or an id that finds nothing; in some places CAPO takes that for fatal (pkg/utils/errors). */
export class FilterMatchError extends Error {}

export const noMatches = 'filter matched no resources';
export const multipleMatches = 'filter matched more than one resource';
