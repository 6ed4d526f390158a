import { oneLine } from '../output/one-line.ts';
import type { ClusterSnapshot } from './cluster-snapshot.ts';
import type { TreeNode } from './status-tree.ts';

/** What of a cluster has changed between two looks, a line each; all of it at the first. */
export function changeLines(before: ClusterSnapshot | undefined, after: ClusterSnapshot): readonly string[] {
  const old = before === undefined ? new Map<string, string>() : partsOf(before);
  const current = partsOf(after);
  const changed = [...current]
    .filter(([part, text]) => old.get(part) !== text)
    .map(([part, text]) => `${part}: ${text}`);
  const gone = [...old.keys()].filter((part) => !current.has(part)).map((part) => `${part}: gone`);
  return [...changed, ...gone].map((line) => `${after.stackId}  ${line}`);
}

/** Texts by what they are about; the status comes first. */
function partsOf(snapshot: ClusterSnapshot): ReadonlyMap<string, string> {
  const { report, operations, tree, problems } = snapshot;
  const parts = new Map<string, string>();
  parts.set('status', report === null ? 'unknown' : textOf(report));
  for (const group of report?.nodegroups ?? []) parts.set(`nodegroup ${group.name}`, textOf(group));
  for (const { nodegroup, record } of operations) {
    const state = record.completed === null ? 'open' : 'complete';
    parts.set(`operation of ${nodegroup === null ? 'the cluster' : nodegroup}`, `${record.type} ${state}`);
  }
  if (tree !== null) addNodes(parts, tree);
  for (const problem of problems) parts.set('problem', problem);
  return parts;
}

interface Reported {
  readonly action: string | null;
  readonly state: string;
  readonly status_reason: string | null;
}

function textOf({ action, state, status_reason }: Reported): string {
  const status = action === null ? state : `${action}_${state}`;
  return status_reason === null ? status : `${status}: ${oneLine(status_reason)}`;
}

function addNodes(parts: Map<string, string>, { kind, name, health, facts, concerns, children }: TreeNode): void {
  const told = concerns.map(({ type, status, reason }) => `${type}=${status} ${reason}`.trimEnd());
  parts.set(`${kind} ${name}`, [...facts, ...told].join(', ') || (health === 'good' ? 'good' : health));
  for (const child of children) addNodes(parts, child);
}
