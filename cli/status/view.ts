import { Slots } from '../../shared/host/slots.ts';
import type { ManagementCluster } from '../management-cluster.ts';
import type { Format } from '../output/format.ts';
import { painter } from '../output/paint.ts';
import type { Terminal } from '../output/terminal.ts';
import { allClusters, namedClusters } from './chosen-clusters.ts';
import { type ClusterSnapshot, readSnapshot } from './cluster-snapshot.ts';
import { snapshotLines } from './snapshot-lines.ts';
import { statusTable } from './status-table.ts';

/** Clusters that are looked at at once. */
const concurrency = 8;

/** What one call of the command shows. */
export interface View {
  readonly management: ManagementCluster;
  readonly terminal: Terminal;
  /** null = all clusters, in a table. */
  readonly asked: readonly string[] | null;
  readonly output: Format | undefined;
  readonly now: () => Date;
}

/** Stack ids of what is to be shown now; of all clusters there may be others by then. */
export async function stackIdsOf({ management, terminal, asked, now }: View): Promise<readonly string[]> {
  const { signal } = terminal;
  return asked === null ? allClusters(management, { now, signal }) : namedClusters(management, asked, signal);
}

/** Looks at clusters, several at once. */
export async function lookAt(view: View, stackIds: readonly string[]): Promise<readonly ClusterSnapshot[]> {
  const { management, terminal, asked, now } = view;
  const slots = new Slots(concurrency);
  const looking = { withTree: asked !== null, now, signal: terminal.signal };
  return Promise.all(stackIds.map((stackId) => slots.run(() => readSnapshot(management.client, stackId, looking))));
}

/** A table of all clusters, or a tree of each that was asked for. */
export function shownLines({ asked, terminal, now }: View, snapshots: readonly ClusterSnapshot[]): readonly string[] {
  const options = { paint: painter(terminal), now: now(), columns: terminal.columns() };
  if (asked === null) return statusTable(snapshots, options);
  return snapshots.flatMap((snapshot, index) => [...(index === 0 ? [] : ['']), ...snapshotLines(snapshot, options)]);
}
