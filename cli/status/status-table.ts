import { shortDuration } from '../output/duration.ts';
import type { Paint } from '../output/paint.ts';
import { table } from '../output/table.ts';
import type { ClusterSnapshot } from './cluster-snapshot.ts';
import { statusText } from './snapshot-lines.ts';

interface TableOptions {
  readonly paint: Paint;
  readonly now: Date;
  readonly columns: number | undefined;
}

const titles = ['STACK ID', 'NAME', 'UUID', 'STATUS', 'AGE', 'VERSION', 'NODES', 'REASON'];

/** A line for each cluster; AGE is that of its last operation. */
export function statusTable(
  snapshots: readonly ClusterSnapshot[],
  { paint, now, columns }: TableOptions,
): readonly string[] {
  if (snapshots.length === 0) return ['There are no clusters.'];
  const rows = snapshots.map((snapshot) => {
    const { stackId, name, uuid, since, report, nodes, problems } = snapshot;
    return [
      stackId,
      name ?? '-',
      uuid ?? '-',
      statusText(snapshot, paint),
      since === null ? '-' : shortDuration(now.getTime() - Date.parse(since)),
      report?.coe_version ?? '-',
      `${nodes.ready}/${nodes.desired}`,
      report?.status_reason ?? problems[0] ?? '',
    ];
  });
  return table(titles, rows, { columns });
}
