import { type ClusterState, readState } from './cluster-state.ts';
import { masterNodegroup } from './master-nodegroup.ts';
import type { MagnumView, Observed } from './observed.ts';
import { type Operations, readOperations } from './operations.ts';
import { failures } from './reason/failures.ts';
import type { Finding } from './reason/finding.ts';
import { warnings } from './reason/warnings.ts';

export interface StatusContext {
  readonly now: Date;
  /** What Magnum said, where it asked; null for an event of the management cluster. */
  readonly magnum: MagnumView | null;
}

/** What the rules of one status report work with. */
export interface StatusBasis extends StatusContext {
  readonly state: ClusterState;
  readonly operations: Operations;
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** Status of a nodegroup's row in Magnum; null where it is not known. */
  readonly magnumStatusOf: (nodegroup: string) => string | null;
}

export function statusBasis(observed: Observed, { now, magnum }: StatusContext): StatusBasis {
  const state = readState(observed);
  // Magnum's rows of another cluster say nothing of this one.
  const owner = state.cluster?.uuid ?? state.cloudConfig?.uuid ?? null;
  const own = owner === null || magnum?.uuid === owner ? magnum : null;
  return {
    now,
    magnum: own,
    state,
    operations: readOperations(state.cluster?.annotations ?? {}),
    failures: failures(state),
    warnings: warnings(state),
    magnumStatusOf: (nodegroup) => own?.nodegroups.find((row) => rowName(row) === nodegroup)?.status ?? null,
  };
}

/** Name of a row's nodegroup in the report. The one of role master is the control plane's, whatever it is called. */
export function rowName({ name, role }: MagnumView['nodegroups'][number]): string {
  return role === 'master' ? masterNodegroup : name;
}
