import { isOverdue } from '../../shared/status/operations.ts';
import { shortDuration } from '../output/duration.ts';
import { oneLine } from '../output/one-line.ts';
import type { Paint } from '../output/paint.ts';
import { paintedStatus, reportLines } from '../output/report-lines.ts';
import type { ClusterSnapshot, ShownOperation } from './cluster-snapshot.ts';
import type { Concern } from './concern.ts';
import type { TreeNode } from './status-tree.ts';

interface LineOptions {
  readonly paint: Paint;
  readonly now: Date;
  readonly columns: number | undefined;
}

/** One cluster for people: its report, its operations, its objects as a tree, and what could not be read. */
export function snapshotLines(snapshot: ClusterSnapshot, options: LineOptions): readonly string[] {
  const { paint, now, columns } = options;
  const { report, operations, tree, problems, stackId, uuid, name } = snapshot;
  const head =
    report === null
      ? [[paint('bold', stackId), 'nothing is known that Magnum could be told', uuid ?? ''].join('  ').trimEnd()]
      : reportLines(report, paint, columns);
  return [
    ...head,
    '',
    ...(name === null ? [] : [`name in Magnum: ${name}`]),
    ...operations.map((operation) => operationLine(operation, paint, now)),
    ...(tree === null ? [] : ['', ...treeLines(tree, paint)]),
    ...problems.map((problem) => paint('yellow', `! ${problem}`)),
  ];
}

function operationLine({ nodegroup, record }: ShownOperation, paint: Paint, now: Date): string {
  const { type, started, deadline, completed } = record;
  const target = nodegroup === null ? type : `${type} of ${nodegroup}`;
  const began = `began ${age(started, now)} ago`;
  if (completed !== null) return `${paint('green', '✓')} ${target}: ${began}, complete ${age(completed, now)} ago`;
  if (deadline === null) return `${paint('yellow', '…')} ${target}: ${began}, without a deadline`;
  if (isOverdue(record, now)) return `${paint('red', '✗')} ${target}: ${began}, overdue for ${age(deadline, now)}`;
  const left = shortDuration(Date.parse(deadline) - now.getTime());
  return `${paint('yellow', '…')} ${target}: ${began}, ${left} to its deadline`;
}

function age(time: string, now: Date): string {
  return shortDuration(now.getTime() - Date.parse(time));
}

/** A node's line, its concerns below, then its children. */
export function treeLines(root: TreeNode, paint: Paint): readonly string[] {
  return [...ownLines(root, paint, root.children.length > 0 ? '│' : ' '), ...branchLines(root.children, paint, '')];
}

function branchLines(nodes: readonly TreeNode[], paint: Paint, indent: string): readonly string[] {
  return nodes.flatMap((node, index) => {
    const isLast = index === nodes.length - 1;
    const below = `${indent}${isLast ? '   ' : '│  '}`;
    const [first = '', ...rest] = ownLines(node, paint, node.children.length > 0 ? '│' : ' ');
    return [
      `${indent}${isLast ? '└─ ' : '├─ '}${first}`,
      ...rest.map((line) => `${below}${line}`),
      ...branchLines(node.children, paint, below),
    ];
  });
}

const marks = {
  good: { style: 'green', sign: '✓' },
  busy: { style: 'yellow', sign: '…' },
  bad: { style: 'red', sign: '✗' },
} as const;

function ownLines({ kind, name, health, facts, concerns }: TreeNode, paint: Paint, rail: string): readonly string[] {
  const { style, sign } = marks[health];
  const mark = paint(style, sign);
  const line = [`${mark} ${paint('dim', kind)} ${name}`, ...facts].join('  ');
  return [line, ...concerns.map((concern) => `${rail}    ${concernText(concern, paint)}`)];
}

function concernText({ type, status, reason, message, isFault }: Concern, paint: Paint): string {
  const told = [reason, oneLine(message)].filter((part) => part !== '').join(': ');
  return `${paint(isFault ? 'red' : 'yellow', `${type}=${status}`)} ${told}`.trimEnd();
}

/** What the table says of a cluster's status. */
export function statusText({ report }: ClusterSnapshot, paint: Paint): string {
  return report === null ? paint('dim', 'unknown') : paintedStatus(report, paint);
}
