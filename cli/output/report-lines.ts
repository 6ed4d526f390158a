import { stateColours } from '../../local/state-colours.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import type { Paint } from './paint.ts';
import { table } from './table.ts';

/** A state of Magnum in its colour, e.g. `CREATE_IN_PROGRESS`. */
export function paintedStatus({ action, state }: Pick<StatusReport, 'action' | 'state'>, paint: Paint): string {
  return paintedState(state, paint, action === null ? state : `${action}_${state}`);
}

/** @param text @default the state */
export function paintedState(state: string, paint: Paint, text = state): string {
  return paint(stateColours[state] ?? 'dim', text);
}

/** A status report for people: the cluster's line, its reason, a table of its nodegroups. */
export function reportLines(report: StatusReport, paint: Paint, columns: number | undefined): readonly string[] {
  const { stack_id, cluster_uuid, status_reason, api_address, coe_version } = report;
  const facts = [api_address, coe_version].filter((fact) => fact !== null);
  return [
    [paint('bold', stack_id), paintedStatus(report, paint), paint('dim', cluster_uuid), ...facts].join('  '),
    ...(status_reason === null ? [] : [`  ${status_reason}`]),
    ...(report.nodegroups.length === 0 ? [] : ['', ...nodegroupTable(report, paint, columns)]),
  ];
}

function nodegroupTable({ nodegroups }: StatusReport, paint: Paint, columns: number | undefined): readonly string[] {
  const rows = nodegroups.map((group) => [
    group.name,
    paintedStatus(group, paint),
    String(group.node_count ?? '-'),
    group.node_addresses.join(',') || '-',
    group.status_reason ?? '',
  ]);
  return table(['NODEGROUP', 'STATUS', 'NODES', 'ADDRESSES', 'REASON'], rows, { columns });
}
