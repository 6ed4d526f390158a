import { clusterCredential } from '../../shared/cloud/cluster-session.ts';
import type { EventData } from '../../shared/contract/event-types.ts';
import type { Deletion } from '../../shared/deletion/deletion.ts';
import type { CloudEventIn } from '../../shared/host/cloud-event.ts';
import type { LiveSecret } from '../../shared/kubernetes/cluster-repository.ts';
import { isConflict, isInvalid, isNotFound } from '../../shared/kubernetes/errors.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import {
  isSuperseded,
  type OperationRecord,
  openRecord,
  readRecord,
  recordAnnotation,
} from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { setAnnotations } from '../../shared/kubernetes/set-annotations.ts';
import {
  deleteMark,
  readCloudConfigRecord,
  readDeleteRequest,
  recordAnnotations,
} from '../../shared/render/cloud-config.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { clusterDeleteType } from './accepted-events.ts';

export type DeleteEvent = CloudEventIn<typeof clusterDeleteType, EventData<typeof clusterDeleteType>>;

const operation = 'cluster.delete';
/** Minutes (design §4). */
const timeout = 60;
/** The topology controller writes the Cluster's status all the time, and each write is a new version. */
const attempts = 5;

/**
 * Writes that somebody asked for the deletion: on the Secret, which outlives the Cluster, and then on the Cluster, where every
 * other operation sees it. Asked for again, the deletion gets a new deadline; the same event again does not.
 * @returns the deletion with both as they are then
 */
export async function markDeletion(deletion: Deletion, event: DeleteEvent): Promise<Deletion> {
  const record = recordOf(deletion, event);
  const secret = deletion.secret === null ? null : await markSecret(deletion, deletion.secret, { event, record });
  const cluster = deletion.cluster === null ? null : await markCluster(deletion, record, attempts);
  return { ...deletion, secret, cluster };
}

function recordOf({ secret, cluster }: Deletion, event: DeleteEvent): OperationRecord {
  const ofCluster = readRecord(cluster?.metadata?.annotations, null);
  const known = readDeleteRequest(secret) ?? (ofCluster?.type === operation ? ofCluster : null);
  const isKnown = known !== null && (known.id === event.id || isSuperseded(event, known));
  return isKnown ? known : openRecord(event, operation, timeout);
}

interface Mark {
  readonly event: DeleteEvent;
  readonly record: OperationRecord;
}

async function markSecret({ environment, proceed }: Deletion, secret: LiveSecret, mark: Mark): Promise<LiveSecret> {
  if (readDeleteRequest(secret)?.id === mark.record.id) return secret;
  const values = { ...missingRecord(secret, mark.event), ...Object.fromEntries([deleteMark(mark.record)]) };
  proceed();
  return environment.repository.annotateCloudConfig(secret, values, { signal: environment.signal });
}

/** A Secret of the original driver records nothing; when the Cluster is gone, nobody would know the owner any more. */
function missingRecord(secret: LiveSecret, { data: { cluster } }: DeleteEvent): Readonly<Record<string, string>> {
  if (readCloudConfigRecord(secret) !== null) return {};
  const owner = { projectId: cluster.project_id ?? '', userId: cluster.user_id ?? '', serverGroups: {} };
  return recordAnnotations(owner, clusterCredential(secret)?.id ?? '');
}

async function markCluster(deletion: Deletion, record: OperationRecord, left: number): Promise<CustomObject | null> {
  const { cluster, environment, stackId, proceed } = deletion;
  const { annotations, resourceVersion } = cluster?.metadata ?? {};
  if (cluster === null || readRecord(annotations, null)?.id === record.id) return cluster;
  const { kubernetes, signal } = environment;
  const operations = setAnnotations(annotations, { [recordAnnotation(null)]: JSON.stringify(record) });
  proceed();
  try {
    const patch = { operations, resourceVersion, signal };
    return await kubernetes.patch(resources.cluster, { namespace, name: stackId }, patch);
  } catch (error) {
    if (isNotFound(error)) return null;
    if (!isConflict(error) || left <= 1) return unmarked(deletion, error);
    return markCluster({ ...deletion, cluster: await currentCluster(deletion) }, record, left - 1);
  }
}

async function currentCluster({ environment, stackId }: Deletion): Promise<CustomObject | null> {
  const { kubernetes, signal } = environment;
  return (await kubernetes.find(resources.cluster, { namespace, name: stackId }, { signal })) ?? null;
}

/** Cluster API refuses any change of a Cluster that its class does not fit any more, but not its deletion. */
function unmarked({ cluster, environment, stackId }: Deletion, error: unknown): CustomObject | null {
  if (!isInvalid(error)) throw error;
  environment.log.warn({ err: error, stack_id: stackId }, 'the deletion could not be recorded on the Cluster');
  return cluster;
}
