import type { V1Secret } from '@kubernetes/client-node';
import type { Session } from 'openstack-client-ts';
import { openClusterSession } from '../cloud/cluster-session.ts';
import { cloudConfigHash } from '../render/addons/cloud-conf/cloud-config-manifest.ts';
import { findCloudConfig, findMountingWorkloads } from '../render/addons/cloud-conf/move-manifests.ts';
import { readCloudConfigRecord } from '../render/cloud-config.ts';
import { managementNamespace as namespace } from '../render/metadata.ts';
import { stackNames } from '../render/stack-names.ts';
import type { RotationCircumstances } from '../status/needs.ts';
import { sentence } from '../status/reason/sentence.ts';
import type { ObservedRotation } from '../status/rotation.ts';
import { type AddonSecret, allFiles, isApplied, readAddonSecrets } from './addon-sets.ts';
import type { KubernetesClient } from './client.ts';
import type { Wire } from './kubernetes-object.ts';
import { resources } from './resources.ts';
import { readRollout } from './workload-rollout.ts';

/** Keystone answers within milliseconds, and a report does not wait longer, in ms. */
const signInMs = 3_000;

export interface RotationQuestion extends RotationCircumstances {
  readonly stackId: string;
  /** The cluster's cloud-config Secret. */
  readonly secret: Wire<V1Secret> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onCloudRequest?: (() => void) | undefined;
}

/**
 * Looks how far a rotation is, step by step, and no further than the first that is not done. A storm of events during a
 * rotation so reads the management cluster alone; the workload cluster is asked only when it has all that it needs, and
 * Keystone only when nothing else is left, which is once in most rotations.
 */
export async function observeRotation(client: KubernetesClient, question: RotationQuestion): Promise<ObservedRotation> {
  const { stackId, secret, signal } = question;
  const record = readCloudConfigRecord(secret);
  if (record === null) return waiting(`The Secret ${stackNames(stackId).cloudConfig} with the new credential is gone`);
  const { applicationCredentialId: credentialId, replacedCredentials } = record;
  const addons = await readAddonSecrets(client, stackId, { signal });
  const moved: ObservedRotation = { kind: 'moved', credentialId, replaced: replacedCredentials.length };
  const refusal = await workloadStep(client, question, { addons, credentialId });
  // Where nothing is left to delete, nothing depends on Keystone's answer.
  return refusal ?? (moved.replaced === 0 ? null : await signInStep(question)) ?? moved;
}

interface Addons {
  readonly addons: readonly AddonSecret[];
  readonly credentialId: string;
}

/** null where the workload has moved, or there is none that could. */
async function workloadStep(
  client: KubernetesClient,
  { stackId, isOverdue, isInitialized, signal }: RotationQuestion,
  { addons, credentialId }: Addons,
): Promise<ObservedRotation | null> {
  const files = allFiles(addons);
  const content = findCloudConfig(files);
  if (content === null) return null;
  if (!content.cloudConf.includes(credentialId)) {
    return waiting(
      'The new credential is not among the add-ons of the cluster yet',
      'the rotation has to be sent again',
    );
  }
  // Before the control plane is up nothing is applied, and no pod has read the old credential.
  const missing = isInitialized ? await unapplied(client, stackId, { addons, signal }) : [];
  if (missing.length > 0) return waiting('The new credential is not applied to the cluster yet', missing.join(', '));
  const hash = cloudConfigHash(content);
  const workloads = findMountingWorkloads(files);
  if (workloads.some((workload) => workload.hash !== hash)) return { kind: 'restart', hash };
  if (!isInitialized) return null;
  const rollout = await readRollout(client, { stackId, workloads, hash, signal });
  // What only cannot be asked holds an overdue rotation up no longer.
  const isEnough = rollout.kind === 'done' || (rollout.kind === 'unknown' && isOverdue);
  return isEnough ? null : { kind: 'waiting', told: rollout.told };
}

/** Names of the Secrets that matter and are not applied as they are now. */
async function unapplied(
  client: KubernetesClient,
  stackId: string,
  { addons, signal }: { readonly addons: readonly AddonSecret[]; readonly signal: AbortSignal | undefined },
): Promise<string[]> {
  const binding = await client.find(resources.clusterResourceSetBinding, { namespace, name: stackId }, { signal });
  return addons
    .filter(({ files }) => findCloudConfig(files) !== null || findMountingWorkloads(files).length > 0)
    .filter((addon) => !isApplied(addon, binding))
    .map(({ secret }) => secret.metadata?.name ?? '');
}

/** null where Keystone accepts the new credential. */
async function signInStep({
  stackId,
  secret,
  onCloudRequest,
  signal,
}: RotationQuestion): Promise<ObservedRotation | null> {
  const cloudConfig = { metadata: { name: stackNames(stackId).cloudConfig }, data: secret?.data ?? {} };
  const limits = { attemptMs: signInMs, totalMs: signInMs };
  let session: Session | undefined;
  try {
    session = openClusterSession(cloudConfig, onCloudRequest, limits);
    await session.authentication();
    return null;
  } catch (error) {
    signal?.throwIfAborted();
    return waiting('The new credential is not accepted', error instanceof Error ? error.message : '');
  } finally {
    session?.close();
  }
}

function waiting(subject: string, message = ''): ObservedRotation {
  return { kind: 'waiting', told: sentence(subject, message) };
}
