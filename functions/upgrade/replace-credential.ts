import { cloudAccess } from '../../shared/cloud/cloud-access.ts';
import { clusterCredential } from '../../shared/cloud/cluster-session.ts';
import { serverGroupName } from '../../shared/cloud/server-groups.ts';
import type { LiveSecret } from '../../shared/kubernetes/cluster-repository.ts';
import { KubernetesError } from '../../shared/kubernetes/errors.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import {
  type CloudConfigRecord,
  type CredentialReference,
  cloudConfigSecret,
  readCloudConfigRecord,
  readDeleteRequest,
} from '../../shared/render/cloud-config.ts';
import type { Rotation } from './rotation.ts';
import { openRotationCloud, type RotationCloud, type RotationPlan } from './rotation-cloud.ts';

/** What the cluster has, whoever wrote it. */
interface Current {
  /** null where the Secret is lost. */
  readonly live: LiveSecret | null;
  /** null where the Secret is the original driver's, or lost. */
  readonly record: CloudConfigRecord | null;
}

/**
 * Puts a new credential into the cluster's Secret, in one write that is based on what was read. Done already by the same
 * event, it is left alone: Keystone shows a secret once.
 * @returns the Secret as it is then. @throws RejectedError before anything is written, DependencyError
 */
export async function replaceCredential(rotation: Rotation, cluster: LiveCluster): Promise<LiveSecret> {
  const { environment, event, proceed } = rotation;
  const live = await environment.repository.findCloudConfig(cluster.metadata.name);
  if (readDeleteRequest(live) !== null) throw rejection('superseded', 'The cluster is being deleted.');
  const record = readCloudConfigRecord(live);
  if (live !== null && record?.rotatedBy === event.id) return live;
  const cloud = openRotationCloud({
    access: cloudAccess(event.data.context.auth_url, event.data.options),
    token: event.data.context.token,
    onRequest: environment.onCloudRequest,
    beforeWrite: proceed,
  });
  try {
    return await replace(rotation, { cluster, cloud, current: { live, record } });
  } finally {
    cloud.close();
  }
}

interface Replacement {
  readonly cluster: LiveCluster;
  readonly cloud: RotationCloud;
  readonly current: Current;
}

async function replace(rotation: Rotation, { cluster, cloud, current }: Replacement): Promise<LiveSecret> {
  const { environment, event, proceed } = rotation;
  const { uuid } = event.data.cluster;
  const stackId = cluster.metadata.name;
  const projectId = projectOf(rotation, current);
  const plan = await cloud.inspect({ projectId, keypair: keypairOf(cluster) });
  const serverGroups = current.record?.serverGroups ?? (await cloud.serverGroups(serverGroupNames(cluster)));
  const replaced = await replacedCredentials(rotation, { cloud, current, plan });
  const scope = { uuid, kept: replaced.map(({ id }) => id) };
  const credential = await cloud.createCredential({ ...scope, eventId: event.id });
  const written = cloudConfigSecret({
    stackId,
    credential: { ...plan.access, ...credential },
    record: { uuid, projectId, userId: plan.userId, serverGroups, rotation: { eventId: event.id, replaced } },
  });
  proceed();
  try {
    return await environment.repository.replaceCloudConfig(current.live, written);
  } catch (error) {
    // A refusal is certain: nothing was stored. Where no answer came, the new credential may be in use.
    if (error instanceof KubernetesError && (error.apiStatus ?? 500) < 500) await cloud.discard(scope);
    throw error;
  }
}

function projectOf({ event }: Rotation, { record }: Current): string {
  const projectId = record?.projectId ?? event.data.cluster.project_id;
  if (projectId) return projectId;
  throw rejection('invalid_field', 'Field cluster.project_id is missing.', { field: 'cluster.project_id' });
}

/** Name of the Nova keypair of the machines; '' where they have none. */
function keypairOf({ spec }: LiveCluster): string {
  const value = spec.topology.variables.find(({ name }) => name === 'sshKeyName')?.value;
  return typeof value === 'string' ? value : '';
}

function serverGroupNames({ metadata, spec }: LiveCluster): string[] {
  const nodegroups = (spec.topology.workers?.machineDeployments ?? []).map(({ name }) => name);
  return [null, ...nodegroups].map((nodegroup) => serverGroupName(metadata.name, nodegroup));
}

/**
 * Every credential that the workload may still use. Where the Secret is lost, nobody knows which that is: then it is each one
 * that the user has for the cluster.
 */
async function replacedCredentials(
  { event }: Rotation,
  { cloud, current, plan }: Pick<Replacement, 'cloud' | 'current'> & { readonly plan: RotationPlan },
): Promise<readonly CredentialReference[]> {
  const { live, record } = current;
  const { uuid, user_id } = event.data.cluster;
  if (live === null) return (await cloud.ownCredentials(uuid)).map((id) => ({ id, userId: plan.userId }));
  // The original driver makes it as the user whom Magnum calls the owner.
  const userId = record?.userId ?? user_id ?? '';
  const ids = [record?.applicationCredentialId, clusterCredential(live)?.id].filter((id) => id !== undefined);
  return [...(record?.replacedCredentials ?? []), ...[...new Set(ids)].map((id) => ({ id, userId }))];
}
