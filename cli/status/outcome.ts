import type { ExitCode } from '../command.ts';
import type { ClusterSnapshot } from './cluster-snapshot.ts';

/** What a watch waits for. */
export type Awaited = 'complete' | 'failed';

/**
 * Whether a watch has seen enough: when no operation goes on any more. 0 where all clusters ended as was waited for.
 * @param known whether each was there at an earlier look: one that is gone by then was deleted
 */
export function outcomeOf(
  snapshots: readonly ClusterSnapshot[],
  awaited: Awaited,
  known: ReadonlySet<string>,
): ExitCode | undefined {
  const ends = snapshots.map((snapshot) => endOf(snapshot, known.has(snapshot.stackId)));
  if (ends.some((end) => end === undefined)) return undefined;
  return ends.every((end) => end === awaited) ? 0 : 1;
}

function endOf({ report }: ClusterSnapshot, wasKnown: boolean): Awaited | undefined {
  // Of a cluster that is deleted to its last object, nothing is left that could be reported.
  if (report === null) return wasKnown ? 'complete' : undefined;
  if (report.state === 'COMPLETE') return 'complete';
  return report.state === 'FAILED' ? 'failed' : undefined;
}
