import { rebuiltGroups, type VariableRules } from '../../functions/upgrade/rebuilt-machines.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { masterNodegroup } from '../../shared/status/master-nodegroup.ts';
import { type ClassContent, hasSameMachines } from './class-content.ts';

/** What would become of the machines of the control plane or of a nodegroup. */
export interface MachineGroup {
  readonly nodegroup: string;
  readonly role: 'master' | 'worker';
  /** Machines that there are now. */
  readonly machines: number;
  /** `replace`: each gives way to a new one; `may_replace`: only Cluster API knows; `scale`: only their number changes. */
  readonly action: 'none' | 'create' | 'delete' | 'replace' | 'may_replace' | 'scale';
  /** Number of machines that are asked for; null where the autoscaler decides, or where the group is not there. */
  readonly replicas: { readonly from: number | null; readonly to: number | null };
  /** Why, one phrase each. */
  readonly reasons: readonly string[];
}

export interface TopologyChange {
  /** null = there is no Cluster. */
  readonly before: LiveCluster | null;
  /** null = there will be none. */
  readonly after: LiveCluster | null;
  /** Classes of both; null where one is not to be read. */
  readonly classes: { readonly before: ClassContent | null; readonly after: ClassContent | null };
  /** Machines that there are, by nodegroup. */
  readonly machines: ReadonlyMap<string, number>;
}

type Topology = LiveCluster['spec']['topology'];

/** What would become of the machines of each group, the control plane first. Cluster API upgrades that first, too. */
export function machineGroups(change: TopologyChange): readonly MachineGroup[] {
  const [before, after] = [groupsOf(change.before), groupsOf(change.after)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].map((nodegroup) => {
    const replicas = { from: before.get(nodegroup) ?? null, to: after.get(nodegroup) ?? null };
    const group = {
      nodegroup,
      role: nodegroup === masterNodegroup ? ('master' as const) : ('worker' as const),
      machines: change.machines.get(nodegroup) ?? 0,
      replicas,
    };
    if (!before.has(nodegroup)) return { ...group, action: 'create' as const, reasons: [] };
    if (!after.has(nodegroup)) return { ...group, action: 'delete' as const, reasons: [] };
    return { ...group, ...fateOf(change, group) };
  });
}

/** Numbers of machines that are asked for, by the names of the groups. */
function groupsOf(cluster: LiveCluster | null): ReadonlyMap<string, number | null> {
  if (cluster === null) return new Map();
  const { controlPlane, workers } = cluster.spec.topology;
  const entries = workers?.machineDeployments ?? [];
  return new Map([
    [masterNodegroup, controlPlane?.replicas ?? 1],
    ...entries.map(({ name, replicas }) => [name, replicas ?? null] as const),
  ]);
}

function fateOf(
  { before, after, classes }: TopologyChange,
  { nodegroup, role, replicas }: Pick<MachineGroup, 'nodegroup' | 'role' | 'replicas'>,
): Pick<MachineGroup, 'action' | 'reasons'> {
  const [one, other] = [before?.spec.topology, after?.spec.topology];
  if (one === undefined || other === undefined) return { action: 'none', reasons: [] };
  const certain = [...versionReason(one, other), ...valueReason(nodegroup, [one, other], classes)];
  const group = role === 'master' ? 'controlPlane' : 'workers';
  const isOtherClass =
    one.classRef.name !== other.classRef.name && !hasSameMachines(group, classes.before, classes.after);
  const classReason = `class ${one.classRef.name} → ${other.classRef.name}`;
  const reasons = [...certain, ...(isOtherClass ? [classReason] : [])];
  if (certain.length > 0) return { action: 'replace', reasons };
  if (isOtherClass) return { action: 'may_replace', reasons };
  return { action: replicas.from === replicas.to ? 'none' : 'scale', reasons: [] };
}

function versionReason(before: Topology, after: Topology): string[] {
  return before.version === after.version ? [] : [`Kubernetes ${before.version} → ${after.version}`];
}

function valueReason(
  nodegroup: string,
  [before, after]: readonly [Topology, Topology],
  classes: TopologyChange['classes'],
): string[] {
  const rules = sharedRules(classes);
  const isKnown = rules !== undefined || before.classRef.name === after.classRef.name;
  const groups = isKnown ? rebuiltGroups(before, after, rules) : [];
  const found = groups.find((group) => group.nodegroup === nodegroup);
  return found === undefined ? [] : [`other ${found.differs.join(', ')}`];
}

/** What both classes say of a variable; what only one of them knows is a difference of the classes. */
function sharedRules({ before, after }: TopologyChange['classes']): VariableRules | undefined {
  if (before === null || after === null) return undefined;
  const { targets, defaults } = after.rules;
  const isShared = ([name]: readonly [string, unknown]) => before.rules.targets.has(name);
  return { targets: new Map([...targets].filter(isShared)), defaults };
}
