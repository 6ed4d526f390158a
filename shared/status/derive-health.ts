import type { EventData } from '../contract/event-types.ts';
import type { CustomObject } from '../kubernetes/kubernetes-object.ts';
import { masterNodegroup } from './master-nodegroup.ts';
import { type ClusterView, readCluster } from './views/cluster-view.ts';
import { isConditionTrue } from './views/condition.ts';
import { countAt, listAt, partAt, textAt } from './views/json-part.ts';
import { type MachineView, readMachine } from './views/machine-view.ts';

export type HealthReport = EventData<'org.openstack.magnum.cluster.health.v1'>;

/** What one computation has seen of a cluster. Any object may be half-written or from another version. */
export interface ObservedHealth {
  /** Name of the Cluster; '' where Magnum has none yet. */
  readonly stackId: string;
  readonly cluster: CustomObject | null;
  readonly machines: readonly CustomObject[];
  /** How the cluster's own API answered when it was asked directly. @default not asked */
  readonly probe?: 'answered' | 'failed' | undefined;
}

export interface HealthContext {
  /** UUID of the Magnum cluster as the request names it; null = by the Cluster's label. */
  readonly uuid: string | null;
}

/** Of a Kubernetes object (RFC 1123 subdomain). */
const objectName = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/**
 * Health of a cluster in Magnum's words (seed §5.4); null where it is no cluster of Magnum's that we know.
 *
 * UNKNOWN, without reasons, while there is nothing to judge: no Cluster, a control plane that has not been initialised, a
 * Cluster that is being deleted. Nobody can use such a cluster, so an alarm would be wrong. From the first initialisation
 * on, which Cluster API never takes back, what cannot be reached is UNHEALTHY.
 *
 * Otherwise HEALTHY if the API is `ok` and every Machine is `True`, else UNHEALTHY:
 * * `api` is what Cluster API says: RemoteConnectionProbe and ControlPlaneAvailable; and the direct probe, where there is one.
 *   It says that a connection is lost after 50 s, but takes that back only when it has given the connection up and made another,
 *   or when it looks at the Cluster again: an outage of a minute is told for up to ten (`--sync-period`, cluster_cache.go).
 * * `<infrastructure machine>.Ready` is the Machine's NodeHealthy. While the connection is lost Cluster API keeps what it last
 *   saw of the Nodes for five minutes (`--remote-conditions-grace-period`), so then no Machine counts as ready.
 * * A Machine that is being deleted is left out: it goes in a rolling upgrade, when scaling down or in a remediation. Cluster
 *   API may replace it only when it is gone: a MachineSet counts it until then (machineset_controller.go). So
 *   `control-plane.Ready`, or that of a nodegroup, says `False` while it has fewer Machines than it should; how many one has
 *   that is autoscaled, the topology does not say.
 */
export function deriveHealth(observed: ObservedHealth, { uuid }: HealthContext): HealthReport | null {
  const cluster = readCluster(observed.cluster);
  const clusterUuid = uuid ?? cluster?.uuid ?? null;
  if (clusterUuid === null) return null;
  const subject = { cluster_uuid: clusterUuid, stack_id: observed.stackId };
  if (cluster === null || cluster.isDeleting || !isConditionTrue(cluster.conditions, 'ControlPlaneInitialized')) {
    return { ...subject, health_status: 'UNKNOWN', health_status_reason: {} };
  }
  const reasons = [apiReason(cluster, observed.probe), ...machineReasons(cluster, observed)];
  // Should two have one name, the one that is not ready is told.
  const told = reasons.toSorted((one, other) => Number(other.good) - Number(one.good));
  return {
    ...subject,
    health_status: reasons.every(({ good }) => good) ? 'HEALTHY' : 'UNHEALTHY',
    health_status_reason: Object.fromEntries(told.map(({ key, value }) => [key, value])),
  };
}

/** What of a Machine its cluster's health is judged by: a whole one takes some 20 KB of memory. */
export function judgedParts({ metadata, spec, status }: CustomObject): CustomObject {
  const { managedFields, annotations, ownerReferences, ...kept } = metadata ?? {};
  const isJudged = (condition: unknown) => textAt(condition, 'type') === 'NodeHealthy';
  return {
    metadata: kept,
    spec: { infrastructureRef: partAt(spec, 'infrastructureRef') },
    status: { conditions: listAt(status, 'conditions').filter(isJudged) },
  };
}

interface Reason {
  readonly key: string;
  readonly value: string;
  readonly good: boolean;
}

function apiReason({ conditions }: ClusterView, probe: ObservedHealth['probe']): Reason {
  const isKnownGood =
    isConditionTrue(conditions, 'RemoteConnectionProbe') && isConditionTrue(conditions, 'ControlPlaneAvailable');
  const good = isKnownGood && probe !== 'failed';
  return { key: 'api', value: good ? 'ok' : 'nok', good };
}

function machineReasons(view: ClusterView, { cluster, machines }: ObservedHealth): Reason[] {
  const isConnected = isConditionTrue(view.conditions, 'RemoteConnectionProbe');
  const staying = machines.map(readMachine).filter(({ isDeleting }) => !isDeleting);
  const masters = countAt(cluster, 'status', 'controlPlane', 'desiredReplicas') ?? 0;
  return [
    ...staying.map((machine) =>
      readiness(nameOf(machine), isConnected && isConditionTrue(machine.conditions, 'NodeHealthy')),
    ),
    ...(isShort(staying, masterNodegroup, masters) ? [readiness('control-plane', false)] : []),
    ...view.nodegroups
      .filter(({ name, replicas }) => isShort(staying, name, replicas ?? 0))
      .map(({ name }) => readiness(objectNameOf(name), false)),
  ];
}

function isShort(staying: readonly MachineView[], name: string, wanted: number): boolean {
  return staying.filter(({ nodegroup }) => nodegroup === name).length < wanted;
}

function readiness(name: string, good: boolean): Reason {
  return { key: `${name}.Ready`, value: good ? 'True' : 'False', good };
}

/** The infrastructure machine's, by which the original names it too; the Machine's own where it has none yet. */
function nameOf({ name, infrastructureName }: MachineView): string {
  return objectNameOf(infrastructureName ?? '', name);
}

/** The first that an object can have. */
function objectNameOf(...names: readonly string[]): string {
  return names.find((name) => objectName.test(name)) ?? 'unnamed';
}
