import { isDeepStrictEqual } from 'node:util';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { contentOf } from '../../shared/render/cluster-class/class-name.ts';
import {
  type MachineGroup,
  type VariableTargets,
  variableDefaults,
  variableTargets,
} from '../../shared/render/cluster-class/variable-targets.ts';
import { masterNodegroup } from '../../shared/status/master-nodegroup.ts';

type LiveTopology = LiveCluster['spec']['topology'];
type LiveEntry = NonNullable<NonNullable<LiveTopology['workers']>['machineDeployments']>[number];

/** A note names no more groups than these. */
const mostGroups = 10;

/**
 * Which machines Cluster API rebuilds for a change of the topology, as a note; none where the version changes, since then all are.
 * A variable counts where the class's patches write it into the machines of a group, and where its value there differs.
 */
export function rebuiltMachines(before: LiveTopology, after: LiveTopology): string[] {
  if (before.version !== after.version) return [];
  if (!isSameContent(before.classRef.name, after.classRef.name)) {
    return [`The cluster moves to class ${after.classRef.name}: all its machines may be rebuilt.`];
  }
  const groups = rebuiltGroups(before, after).map(shown);
  if (groups.length === 0) return ['No machine is rebuilt.'];
  const more = groups.length > mostGroups ? ` and ${groups.length - mostGroups} more` : '';
  return [`Although the version stays, machines are rebuilt: ${groups.slice(0, mostGroups).join('; ')}${more}.`];
}

/** Whether two names are those of classes of one content, so that the machines of both are the same. */
export function isSameContent(one: string, other: string): boolean {
  const content = contentOf(one);
  return one === other || (content !== null && content === contentOf(other));
}

/** What of a class decides which values are part of which machines. */
export interface VariableRules {
  readonly targets: VariableTargets;
  readonly defaults: Values;
}

/** A group whose machines are rebuilt, and what of them differs, e.g. imageUUID. */
export interface RebuiltGroup {
  readonly nodegroup: string;
  readonly differs: readonly string[];
}

const ownRules: VariableRules = { targets: variableTargets, defaults: variableDefaults };

/**
 * Groups, there before and after, whose machines are rebuilt for other values of variables.
 * @param rules of the class of both. @default this release's
 */
export function rebuiltGroups(before: LiveTopology, after: LiveTopology, rules = ownRules): readonly RebuiltGroup[] {
  const valuesOf = (topology: LiveTopology, entry?: LiveEntry) => valuesIn(rules, topology, entry);
  const entries = new Map(entriesOf(before).map((entry) => [entry.name, entry]));
  const masters = differences(rules, 'controlPlane', [valuesOf(before), valuesOf(after)]);
  const workers = entriesOf(after).map((entry) => {
    const former = entries.get(entry.name);
    if (former === undefined) return { nodegroup: entry.name, differs: [] };
    const zone = isDeepStrictEqual(former['failureDomain'], entry['failureDomain']) ? [] : ['failureDomain'];
    const names = differences(rules, 'workers', [valuesOf(before, former), valuesOf(after, entry)]);
    return { nodegroup: entry.name, differs: [...names, ...zone] };
  });
  return [{ nodegroup: masterNodegroup, differs: masters }, ...workers].filter(({ differs }) => differs.length > 0);
}

function entriesOf({ workers }: LiveTopology): readonly LiveEntry[] {
  return workers?.machineDeployments ?? [];
}

type Values = ReadonlyMap<string, unknown>;

/** What a group goes by: its own value, the cluster's, the class's default. */
function valuesIn({ defaults }: VariableRules, { variables }: LiveTopology, entry?: LiveEntry): Values {
  const given = [...variables, ...(entry?.variables?.overrides ?? [])];
  return new Map([...defaults, ...given.map(({ name, value }) => [name, value] as const)]);
}

function differences(
  { targets }: VariableRules,
  group: MachineGroup,
  [before, after]: readonly [Values, Values],
): string[] {
  return [...targets].flatMap(([name, groups]) =>
    groups.has(group) && !isDeepStrictEqual(before.get(name), after.get(name)) ? [name] : [],
  );
}

/** E.g. `default-master (imageUUID)`. */
function shown({ nodegroup, differs }: RebuiltGroup): string {
  return `${nodegroup} (${differs.join(', ')})`;
}
