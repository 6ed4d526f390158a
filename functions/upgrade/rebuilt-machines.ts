import { isDeepStrictEqual } from 'node:util';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { contentOf } from '../../shared/render/cluster-class/class-name.ts';
import {
  type MachineGroup,
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
  const groups = rebuiltGroups(before, after);
  if (groups.length === 0) return ['No machine is rebuilt.'];
  const more = groups.length > mostGroups ? ` and ${groups.length - mostGroups} more` : '';
  return [`Although the version stays, machines are rebuilt: ${groups.slice(0, mostGroups).join('; ')}${more}.`];
}

function isSameContent(one: string, other: string): boolean {
  const content = contentOf(one);
  return one === other || (content !== null && content === contentOf(other));
}

/** Each with what differs, e.g. `default-master (imageUUID)`. */
function rebuiltGroups(before: LiveTopology, after: LiveTopology): string[] {
  const entries = new Map(entriesOf(before).map((entry) => [entry.name, entry]));
  const masters = differences('controlPlane', [valuesOf(before), valuesOf(after)]);
  const workers = entriesOf(after).map((entry) => {
    const former = entries.get(entry.name);
    if (former === undefined) return shown(entry.name, []);
    const zone = isDeepStrictEqual(former['failureDomain'], entry['failureDomain']) ? [] : ['failureDomain'];
    const names = differences('workers', [valuesOf(before, former), valuesOf(after, entry)]);
    return shown(entry.name, [...names, ...zone]);
  });
  return [shown(masterNodegroup, masters), ...workers].filter((text) => text !== null);
}

function entriesOf({ workers }: LiveTopology): readonly LiveEntry[] {
  return workers?.machineDeployments ?? [];
}

type Values = ReadonlyMap<string, unknown>;

/** What a group goes by: its own value, the cluster's, the class's default. */
function valuesOf({ variables }: LiveTopology, entry?: LiveEntry): Values {
  const given = [...variables, ...(entry?.variables?.overrides ?? [])];
  return new Map([...variableDefaults, ...given.map(({ name, value }) => [name, value] as const)]);
}

function differences(group: MachineGroup, [before, after]: readonly [Values, Values]): string[] {
  return [...variableTargets].flatMap(([name, groups]) =>
    groups.has(group) && !isDeepStrictEqual(before.get(name), after.get(name)) ? [name] : [],
  );
}

function shown(nodegroup: string, names: readonly string[]): string | null {
  return names.length === 0 ? null : `${nodegroup} (${names.join(', ')})`;
}
