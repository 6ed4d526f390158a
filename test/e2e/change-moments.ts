import { deriveStatus } from '../../shared/status/derive-status.ts';
import { type ObjectHistory, ReplayedCluster } from '../system/object-history.ts';

/** What Magnum's row should say of a cluster from a moment on. */
export interface Truth {
  /** In milliseconds of `performance.now()`. */
  readonly at: number;
  /** Whether everything is as it was asked for. */
  readonly isComplete: boolean;
  /** Addresses of the nodes by name of the nodegroup, in order. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly exists: boolean;
}

/** The truth about one cluster after each change of its objects. */
export function truthsOf({ changes }: ObjectHistory, stackId: string): readonly Truth[] {
  const cluster = new ReplayedCluster(stackId);
  return changes.flatMap((change) => {
    if (!cluster.take(change)) return [];
    const report = deriveStatus(cluster.observed(), { now: new Date(), magnum: null })?.report;
    const addresses = report?.nodegroups.map(({ name, node_addresses }) => [name, inOrder(node_addresses)]) ?? [];
    return [
      {
        at: change.at,
        isComplete: report?.state === 'COMPLETE',
        addresses: Object.fromEntries(addresses),
        exists: cluster.observed().cluster !== null,
      },
    ];
  });
}

/**
 * When the truth became, for the last time before that moment, what it is said to be; undefined where it never was.
 * @param at in milliseconds of `performance.now()`
 */
export function becameTrue(truths: readonly Truth[], holds: (truth: Truth) => boolean, at: number): number | undefined {
  const before = truths.filter((truth) => truth.at <= at);
  const lastOther = before.findLastIndex((truth) => !holds(truth));
  return before[lastOther + 1]?.at;
}

/** Addresses as one text, so that they can be compared. */
export function inOrder(addresses: readonly string[]): string {
  return addresses.toSorted().join(' ');
}
