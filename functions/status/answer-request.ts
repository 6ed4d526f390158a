import type { EventData } from '../../shared/contract/event-types.ts';
import { checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventIn, CloudEventOut } from '../../shared/host/cloud-event.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { stackId, stackIdPattern } from '../../shared/magnum/stack-id.ts';
import { clusterUuidLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { deriveStatus } from '../../shared/status/derive-status.ts';
import type { MagnumView } from '../../shared/status/observed.ts';
import type { statusRequestedType } from './accepted-events.ts';
import { computeStatus } from './compute-status.ts';
import type { Environment } from './environment.ts';
import { type Computation, judge } from './observe-status.ts';
import { statusReply } from './status-reply.ts';

type RequestData = EventData<typeof statusRequestedType>;

/**
 * Reports the cluster that is asked for. The observation is shared with other events; the report is this request's own,
 * since only it says what Magnum knows.
 * @throws BusyError, DependencyError
 */
export async function answerRequest(
  environment: Environment,
  event: CloudEventIn<typeof statusRequestedType, RequestData>,
): Promise<CloudEventOut | undefined> {
  checkSubject(event);
  const magnum = magnumView(event.data);
  const { observed, begun } = await computationFor(environment, magnum.uuid, event.data.cluster.stack_id ?? '');
  const derived = deriveStatus(observed, { now: begun, magnum });
  return derived === null ? undefined : statusReply(derived.report, begun);
}

function magnumView({ cluster, nodegroups }: RequestData): MagnumView {
  return {
    uuid: cluster.uuid,
    status: cluster.status ?? null,
    nodegroups: nodegroups.map(({ name, status, role }) => ({ name, status: status ?? null, role: role ?? null })),
  };
}

/** By Magnum's stack id where that is the cluster's, else by the Cluster's label, else by the name that a create begins with. */
async function computationFor(environment: Environment, uuid: string, known: string): Promise<Computation> {
  const named = stackIdPattern.test(known) ? await computationOf(environment, known) : null;
  if (named !== null && ownerOf(named) === uuid) return named;
  const labelled = await nameByLabel(environment, uuid);
  if (labelled !== undefined) return computationOf(environment, labelled);
  const last = named ?? (await computationOf(environment, stackId(uuid, 0)));
  return (ownerOf(last) ?? uuid) === uuid ? last : nothingOf(last);
}

async function computationOf(environment: Environment, name: string): Promise<Computation> {
  const { result } = await computeStatus(environment, name, 'completion');
  return result;
}

/** UUID of the Magnum cluster that has the name; undefined where that is nobody's that we know. */
function ownerOf({ observed: { cluster, cloudConfig } }: Computation): string | undefined {
  return cluster?.metadata?.labels?.[clusterUuidLabel] ?? cloudConfig?.uuid ?? undefined;
}

async function nameByLabel({ kubernetes, signal }: Environment, uuid: string): Promise<string | undefined> {
  const labelSelector = `${clusterUuidLabel}=${uuid}`;
  const [cluster] = await kubernetes.list(resources.cluster, { namespace, labelSelector, signal });
  return cluster?.metadata?.name;
}

/** The name is another cluster's, so of this one there is nothing. */
function nothingOf({ observed, begun }: Computation): Computation {
  const nothing = { cluster: null, machineDeployments: [], machines: [], cloudConfig: null };
  return judge({ stackId: observed.stackId, ...nothing }, begun);
}
