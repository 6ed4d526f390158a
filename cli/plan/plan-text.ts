import { faultLines } from '../output/faults.ts';
import type { Paint, Style } from '../output/paint.ts';
import { cut, table } from '../output/table.ts';
import type { CloudChange } from './dry-cloud.ts';
import type { MachineGroup } from './machine-groups.ts';
import type { ObjectChange, ShownChange } from './object-change.ts';
import type { Plan } from './plan-operation.ts';

interface Look {
  readonly paint: Paint;
  /** Characters of a line. */
  readonly columns: number;
}

/** A plan for people, one line each. */
export function planLines(plan: Plan, look: Look): readonly string[] {
  const { paint } = look;
  const operation = plan.event.type.replace(/^org\.openstack\.magnum\.|\.v1$/g, '');
  const subject = `${paint('bold', operation)} of ${plan.stack_id || plan.cluster_uuid}`;
  if (plan.outcome === 'rejected') {
    return [`${subject} would be ${paint('red', 'rejected')}:`, ...faultLines(plan.faults, paint)];
  }
  return [
    `${subject} would be ${paint('green', 'accepted')}. Nothing was written.`,
    ...section('Machines', machineLines(plan.machines, look), paint),
    ...section('Management cluster', objectLines(plan.objects, look), paint),
    ...section('Workload cluster', objectLines(plan.workload_objects, look), paint),
    ...section(
      'Cloud',
      plan.cloud.map((change) => cloudLine(change, look)),
      paint,
    ),
    ...section(
      'Notes of the operation',
      plan.notes.map((note) => `- ${note}`),
      paint,
    ),
    ...section(
      'What the plan cannot tell',
      plan.warnings.map((warning) => `${paint('yellow', '!')} ${warning}`),
      paint,
    ),
  ];
}

function section(title: string, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines];
}

const fates: Readonly<Record<MachineGroup['action'], readonly [Style, string]>> = {
  none: ['dim', 'stay'],
  create: ['green', 'come'],
  delete: ['red', 'go'],
  replace: ['yellow', 'are replaced'],
  may_replace: ['yellow', 'may be replaced'],
  scale: ['cyan', 'stay, and more or less of them'],
};

function machineLines(groups: readonly MachineGroup[], { paint, columns }: Look): readonly string[] {
  if (groups.length === 0) return [];
  const rows = groups.map(({ nodegroup, machines, replicas, action, reasons }) => {
    const [style, words] = fates[action];
    const wanted = replicas.from === replicas.to ? '' : ` → ${replicas.to ?? (action === 'delete' ? 0 : 'autoscaled')}`;
    return [nodegroup, `${machines}${wanted}`, paint(style, words), reasons.join(', ')];
  });
  return table(['NODEGROUP', 'MACHINES', 'THEY', 'BECAUSE OF'], rows, { columns });
}

const signs = { create: ['green', '+'], change: ['yellow', '~'], delete: ['red', '-'] } as const;

function objectLines(changes: readonly ObjectChange[], look: Look): readonly string[] {
  return changes.flatMap(({ action, kind, name, fields }) => {
    const [style, sign] = signs[action];
    return [look.paint(style, `${sign} ${kind} ${name}`), ...fields.map((field) => fieldLine(field, look))];
  });
}

function fieldLine(field: ShownChange, { paint, columns }: Look): string {
  const room = Math.max(columns - field.path.length - 9, 20);
  if ('hidden' in field) return `    ${field.path}: ${paint('dim', 'changed')}`;
  const [from, to] = [valueText(field, 'from'), valueText(field, 'to')];
  if (from === null) return `    ${field.path}: ${paint('green', cut(`+ ${to}`, room))}`;
  if (to === null) return `    ${field.path}: ${paint('red', cut(`- ${from}`, room))}`;
  const half = Math.floor(room / 2);
  return `    ${field.path}: ${paint('red', cut(from, half))} → ${paint('green', cut(to, half))}`;
}

function valueText(field: ShownChange, end: 'from' | 'to'): string | null {
  if ('hidden' in field || !(end in field)) return null;
  const value = field[end];
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

function cloudLine({ action, what, name }: CloudChange, { paint }: Look): string {
  const [style, sign] = signs[action];
  return paint(style, `${sign} ${what} ${name}`);
}
