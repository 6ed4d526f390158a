import { listServerGroups, type Session } from 'openstack-client-ts';
import { askCloud } from '../../shared/cloud/cloud-faults.ts';
import { ensureServerGroups, serverGroupName } from '../../shared/cloud/server-groups.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import type { ServerGroupFacts } from '../../shared/render/cloud-facts.ts';

type Variables = LiveCluster['spec']['topology']['variables'];

/** The server group that the control plane (null) or a nodegroup has to have, and the one that it has. */
interface Need {
  readonly nodegroup: string | null;
  readonly policy: ClusterIntent['controlPlane']['serverGroup']['policy'];
  readonly liveId: string;
}

export interface ServerGroupPlan {
  readonly facts: ServerGroupFacts;
  /** Those that are not in the cloud any more, or never were; no machine can be made without them. */
  readonly missing: readonly Need[];
}

/** Looks up which of the live groups are still there: a machine of a group that is gone would never start. */
export async function inspectServerGroups(
  session: Session,
  cluster: LiveCluster,
  intent: ClusterIntent,
): Promise<ServerGroupPlan> {
  const known = new Set((await askCloud(() => listServerGroups(session))).map(({ id }) => id));
  const needs = needsOf(cluster, intent);
  const facts = factsOf(needs.map(({ nodegroup, liveId }) => [nodegroup, liveId]));
  return { facts, missing: needs.filter(({ liveId }) => !known.has(liveId)) };
}

function needsOf({ spec: { topology } }: LiveCluster, intent: ClusterIntent): Need[] {
  const entries = new Map(topology.workers?.machineDeployments?.map((entry) => [entry.name, entry]));
  return [
    { nodegroup: null, policy: intent.controlPlane.serverGroup.policy, liveId: idIn(topology.variables) },
    ...intent.workers.map(({ name, serverGroup }) => ({
      nodegroup: name,
      policy: serverGroup.policy,
      liveId: idIn(entries.get(name)?.variables?.overrides ?? []),
    })),
  ];
}

function idIn(variables: Variables): string {
  const value = variables.find(({ name }) => name === 'serverGroupId')?.value;
  return typeof value === 'string' ? value : '';
}

interface Creation {
  readonly stackId: string;
  readonly proceed: () => void;
  readonly recordGroup: (group: { readonly name: string; readonly id: string }) => Promise<void>;
}

/** Finds or makes what is missing, and records it for the deletion of the cluster. */
export async function completeServerGroups(
  session: Session,
  { facts, missing }: ServerGroupPlan,
  { stackId, proceed, recordGroup }: Creation,
): Promise<ServerGroupFacts> {
  if (missing.length === 0) return facts;
  const wanted = missing.map(({ nodegroup, policy }) => ({ name: serverGroupName(stackId, nodegroup), policy }));
  const ids = await askCloud(() => ensureServerGroups(session, wanted, proceed));
  for (const [name, id] of ids) await recordGroup({ name, id });
  const found = missing.map(
    ({ nodegroup }) => [nodegroup, ids.get(serverGroupName(stackId, nodegroup)) ?? ''] as const,
  );
  const { controlPlane, workers } = factsOf(found);
  return { controlPlane: controlPlane || facts.controlPlane, workers: { ...facts.workers, ...workers } };
}

function factsOf(ids: readonly (readonly [nodegroup: string | null, id: string])[]): ServerGroupFacts {
  const byName = new Map(ids);
  const workers = ids.flatMap(([nodegroup, id]) => (nodegroup === null ? [] : [[nodegroup, id] as const]));
  return { controlPlane: byName.get(null) ?? '', workers: Object.fromEntries(workers) };
}
