import { removeCredentials } from '../../shared/cloud/credential-removal.ts';
import { readAddonSecrets, writeFiles } from '../../shared/kubernetes/addon-sets.ts';
import { withClusterLease } from '../../shared/kubernetes/cluster-lease.ts';
import { createClusterRepository, liveSecret } from '../../shared/kubernetes/cluster-repository.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { withRestart } from '../../shared/render/addons/cloud-conf/move-manifests.ts';
import { readCloudConfigRecord, replacedCredentialsAnnotation } from '../../shared/render/cloud-config.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { stackNames } from '../../shared/render/stack-names.ts';
import { sentence } from '../../shared/status/reason/sentence.ts';
import type { ObservedRotation } from '../../shared/status/rotation.ts';
import type { Environment } from './environment.ts';
import { type Computation, judge } from './observe-status.ts';

interface Rotation {
  readonly environment: Environment;
  readonly stackId: string;
  /** Runs before each write. @throws DriverError when the Lease is lost or nobody waits for the result */
  readonly proceed: () => void;
}

/**
 * Does what an open rotation needs next, by what was observed: restarts the workloads that have read the old credential, or
 * deletes the credentials that nobody uses any more. Only after that the operation may be recorded as complete.
 * @returns the computation as it is after that
 */
export async function carryOnRotation(environment: Environment, computation: Computation): Promise<Computation> {
  const { derived, observed } = computation;
  const { rotation, stackId } = observed;
  if (derived === null || rotation === undefined || rotation.kind === 'waiting') return computation;
  if (rotation.kind === 'moved' && rotation.replaced === 0) return computation;
  try {
    return await withClusterLease(environment, derived.report.cluster_uuid, async (proceed) => {
      const work = { environment, stackId, proceed };
      const next =
        rotation.kind === 'restart' ? await restart(work, rotation) : await forget(work, rotation.credentialId);
      return withRotation(computation, next);
    });
  } catch (error) {
    // The report does not wait: whatever it was, the next look finds the same work to do.
    environment.signal.throwIfAborted();
    environment.log.warn({ err: error, stack_id: stackId }, 'a rotation could not be carried on');
    return computation;
  }
}

function withRotation({ observed, begun }: Computation, rotation: ObservedRotation): Computation {
  return judge({ ...observed, rotation }, begun);
}

type Restart = Extract<ObservedRotation, { kind: 'restart' }>;

/** By the pod templates that Cluster API keeps applied. */
async function restart({ environment, stackId, proceed }: Rotation, rotation: Restart): Promise<ObservedRotation> {
  const { kubernetes, signal } = environment;
  for (const addon of await readAddonSecrets(kubernetes, stackId, { signal })) {
    const files = withRestart(addon.files, rotation.hash);
    if (Object.keys(files).length === 0) continue;
    proceed();
    await writeFiles(kubernetes, addon, files);
  }
  return rotation;
}

/** Deletes what was replaced. What only an operator can delete stays recorded, and does not keep the rotation open. */
async function forget(work: Rotation, credentialId: string): Promise<ObservedRotation> {
  const { environment, stackId, proceed } = work;
  const { kubernetes, signal, serviceCloud, onCloudRequest: onRequest, log } = environment;
  const { cloudConfig: name } = stackNames(stackId);
  const secret = await kubernetes.get(resources.secret, { namespace, name }, { signal });
  const record = readCloudConfigRecord(secret);
  // Another rotation came in between, and its own look decides what may go.
  if (record?.applicationCredentialId !== credentialId)
    return waiting(sentence('The credential was replaced once more'));
  const left = await removeCredentials(record.replacedCredentials, { serviceCloud, onRequest, beforeWrite: proceed });
  const remaining = left.map(({ credential }) => credential);
  if (remaining.length < record.replacedCredentials.length) {
    proceed();
    const values = Object.fromEntries([replacedCredentialsAnnotation(remaining)]);
    await createClusterRepository(kubernetes).annotateCloudConfig(liveSecret(secret), values, { signal });
  }
  const passing = left.find(({ isFinal }) => !isFinal);
  if (passing !== undefined) return waiting(passing.told);
  // Deleting the cluster tries again.
  for (const { told } of left) log.warn({ stack_id: stackId, told }, 'a replaced credential stays');
  return { kind: 'moved', credentialId, replaced: 0 };
}

function waiting(told: string): ObservedRotation {
  return { kind: 'waiting', told };
}
