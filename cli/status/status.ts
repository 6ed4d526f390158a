import type { ExitCode } from '../command.ts';
import { connectManagementCluster, type ManagementClusterOptions } from '../management-cluster.ts';
import { type Format, printFormatted } from '../output/format.ts';
import { printLine, printNote, type Terminal } from '../output/terminal.ts';
import type { ClusterSnapshot } from './cluster-snapshot.ts';
import type { Awaited } from './outcome.ts';
import { snapshotDocument } from './snapshot-document.ts';
import { lookAt, shownLines, stackIdsOf, type View } from './view.ts';
import { watchStatus } from './watch-status.ts';

export interface StatusArguments extends ManagementClusterOptions {
  readonly clusters: readonly string[];
  readonly watch: boolean;
  readonly until: Awaited | undefined;
  readonly output: Format | undefined;
}

export async function status(given: StatusArguments, terminal: Terminal): Promise<ExitCode> {
  const management = await connectManagementCluster(given);
  const asked = given.clusters.length === 0 ? null : given.clusters;
  const view = { management, terminal, asked, output: given.output, now: () => new Date() };
  try {
    if (given.watch || given.until !== undefined) return await watchStatus(view, given.until);
    return await showOnce(view);
  } finally {
    management.close();
  }
}

async function showOnce(view: View): Promise<ExitCode> {
  const snapshots = await lookAt(view, await stackIdsOf(view));
  const { terminal, output, asked } = view;
  if (output !== undefined) {
    await printFormatted(terminal, { clusters: snapshots.map(snapshotDocument) }, output);
    return foundAll(view, snapshots);
  }
  for (const line of shownLines(view, snapshots)) printLine(terminal, line);
  if (asked === null) for (const problem of problemsOf(snapshots)) printNote(terminal, `! ${problem}`);
  return foundAll(view, snapshots);
}

function problemsOf(snapshots: readonly ClusterSnapshot[]): readonly string[] {
  return [...new Set(snapshots.flatMap(({ problems }) => problems))];
}

/** A stack id that was asked for and that nothing is known of. */
function foundAll({ asked, terminal }: View, snapshots: readonly ClusterSnapshot[]): ExitCode {
  const unknown = snapshots.filter(
    ({ report, tree, problems }) => report === null && tree === null && problems.length === 0,
  );
  if (asked === null || unknown.length === 0) return 0;
  for (const { stackId } of unknown) printNote(terminal, `There is no cluster ${stackId} in the management cluster.`);
  return 1;
}
