import { withSessionOpener } from 'openstack-client-ts';
import type { ServiceCloud } from '../../shared/cloud/service-session.ts';
import { type Fault, RejectedError } from '../../shared/contract/errors.ts';
import { operationAccepted } from '../../shared/contract/replies.ts';
import { createCallCounter } from '../../shared/host/call-counter.ts';
import type { CloudEventIn, CloudEventOut } from '../../shared/host/cloud-event.ts';
import { createLogger } from '../../shared/host/logger.ts';
import type { KubernetesConnection } from '../../shared/kubernetes/connection.ts';
import { partAt } from '../../shared/status/views/json-part.ts';
import { schemaFaults } from '../event/schema-faults.ts';
import { DryClient } from './dry-client.ts';
import { type CloudChange, DryCloud } from './dry-cloud.ts';
import type { MachineGroup } from './machine-groups.ts';
import { type ObjectChange, objectChange } from './object-change.ts';
import { Overlay } from './overlay.ts';
import { plannedFunctions } from './planned-functions.ts';
import { readMachineGroups } from './read-machine-groups.ts';
import { warningsOf } from './warnings.ts';

/** What an operation would change; nothing of it is done. */
export interface Plan {
  readonly event: { readonly id: string; readonly type: string };
  readonly cluster_uuid: string;
  /** Name of the Cluster; null where the operation is rejected before it is known. */
  readonly stack_id: string | null;
  readonly outcome: 'accepted' | 'rejected';
  /** Why it is rejected. */
  readonly faults: readonly Fault[];
  /** What the reply would say. */
  readonly notes: readonly string[];
  /** What limits the plan itself. */
  readonly warnings: readonly string[];
  readonly machines: readonly MachineGroup[];
  /** In the management cluster, in the order in which they would be written. */
  readonly objects: readonly ObjectChange[];
  /** In the workload cluster, by the operation itself; what Cluster API does by its objects is not among them. */
  readonly workload_objects: readonly ObjectChange[];
  readonly cloud: readonly CloudChange[];
}

export interface PlanOptions {
  /** To the management cluster. */
  readonly connection: KubernetesConnection;
  /** Of the driver whose functions would carry it out; its class has it in its name. */
  readonly version: string;
  /** The functions' own credential. @default none */
  readonly serviceCloud?: ServiceCloud | undefined;
  readonly signal: AbortSignal;
}

/** Everything that one plan works with. */
interface DryRun {
  readonly client: DryClient;
  readonly cloud: DryCloud;
  readonly overlay: Overlay;
  /** The same of the workload cluster. */
  readonly elsewhere: Overlay;
}

/**
 * Has the functions themselves carry out an event, with an API server that stores nothing and a cloud that changes nothing.
 * @throws DriverError where the plan could not be made, Error for an event that changes no cluster
 */
export async function planOperation(event: CloudEventIn, options: PlanOptions): Promise<Plan> {
  const [overlay, elsewhere] = [new Overlay(), new Overlay()];
  const client = new DryClient(options.connection, { overlay, elsewhere, userAgent: 'magnum-capi plan' });
  const run = { client, overlay, elsewhere, cloud: new DryCloud() };
  try {
    const target = plannedFunctions({ ...options, kubernetes: client }).find(({ accepts }) =>
      Object.hasOwn(accepts, event.type),
    );
    const data = target?.accepts[event.type]?.safeParse(event.data);
    if (target === undefined || data === undefined) throw new Error(`An event ${event.type} changes no cluster.`);
    if (!data.success) return rejected(event, schemaFaults(data.error));
    const context = {
      log: createLogger({ level: 'silent' }),
      signal: options.signal,
      calls: createCallCounter(),
      now: () => new Date(),
    };
    const reply = await withSessionOpener(run.cloud.open, () =>
      target.handle(context, { ...event, data: withoutWaits(data.data) }),
    );
    return await accepted(event, { ...run, reply, connection: options.connection });
  } catch (error) {
    if (error instanceof RejectedError) return rejected(event, error.faults);
    throw error;
  } finally {
    client.close();
  }
}

interface Ending extends DryRun, Pick<PlanOptions, 'connection'> {
  readonly reply: CloudEventOut | undefined;
}

async function accepted(event: CloudEventIn, ending: Ending): Promise<Plan> {
  const { client, overlay, elsewhere, cloud, connection } = ending;
  const { stack_id, notes } = operationAccepted.parse(ending.reply?.data);
  const changesIn = (place: Overlay) => place.writes.flatMap((write) => objectChange(write, cloud.placeholders) ?? []);
  return {
    ...outlineOf(event),
    stack_id,
    outcome: 'accepted',
    faults: [],
    notes,
    warnings: await warningsOf(connection, { uuid: event.subject, overlay }),
    machines: await readMachineGroups(client, overlay, stack_id),
    objects: changesIn(overlay),
    workload_objects: changesIn(elsewhere),
    cloud: cloud.changes,
  };
}

/** Load balancers that only a plan deletes never end, so nobody waits for them. */
function withoutWaits(data: unknown): unknown {
  const options = partAt(data, 'options', 'cluster');
  if (options === undefined) return data;
  const { options: all } = Object(data);
  return { ...Object(data), options: { ...all, cluster: { ...Object(options), pre_delete_lb_timeout: 0 } } };
}

function outlineOf({ id, type, subject }: CloudEventIn): Pick<Plan, 'event' | 'cluster_uuid'> {
  return { event: { id, type }, cluster_uuid: subject };
}

/** Whoever rejects an operation changes nothing by it. */
function rejected(event: CloudEventIn, faults: readonly Fault[]): Plan {
  const nothing = { notes: [], warnings: [], machines: [], objects: [], workload_objects: [], cloud: [] };
  return { ...outlineOf(event), stack_id: null, outcome: 'rejected', faults, ...nothing };
}
