import { cloudConfigHashAnnotation, type MountingWorkload } from '../render/addons/cloud-conf/mounting-workload.ts';
import { sentence } from '../status/reason/sentence.ts';
import { countAt, partAt, textAt } from '../status/views/json-part.ts';
import type { KubernetesClient } from './client.ts';
import { type ResourceType, resources } from './resources.ts';
import { workloadConnection } from './workload-connection.ts';

/** A report does not wait longer for the API of a cluster that may be out of reach, in ms. */
const timeLimitMs = 3_000;

const types: Readonly<Record<MountingWorkload['kind'], ResourceType<object>>> = {
  DaemonSet: resources.daemonSet,
  Deployment: resources.deployment,
  StatefulSet: resources.statefulSet,
};

/** Whether the pods of workloads run with the Secret of the hash, as the workload cluster itself says. */
export type Rollout =
  | { readonly kind: 'done' }
  | { readonly kind: 'going on'; readonly told: string }
  | { readonly kind: 'unknown'; readonly told: string };

interface Question {
  readonly stackId: string;
  readonly workloads: readonly MountingWorkload[];
  readonly hash: string;
  readonly signal?: AbortSignal | undefined;
}

/** Asks the API of the workload cluster. It never throws for what that does: it may be out of reach of a function. */
export async function readRollout(client: KubernetesClient, question: Question): Promise<Rollout> {
  const { stackId, workloads, hash, signal } = question;
  if (workloads.length === 0) return { kind: 'done' };
  const limit = AbortSignal.timeout(timeLimitMs);
  const options = { signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) };
  let workload: KubernetesClient | undefined;
  try {
    workload = client.connectTo(await workloadConnection(client, stackId, { signal }));
    for (const { kind, namespace, name } of workloads) {
      const found = await workload.find(types[kind], { namespace, name }, options);
      // Whoever deleted it has no pods that could still use the old credential.
      if (found !== undefined && !isRolledOut(found, kind, hash)) {
        return {
          kind: 'going on',
          told: sentence(`${kind} ${name} of the cluster has not restarted all its pods yet`),
        };
      }
    }
    return { kind: 'done' };
  } catch (error) {
    signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : '';
    return {
      kind: 'unknown',
      told: sentence('The cluster cannot be asked whether its cloud integrations have restarted', why),
    };
  } finally {
    workload?.close();
  }
}

function isRolledOut(object: object, kind: MountingWorkload['kind'], hash: string): boolean {
  const annotations = partAt(object, 'spec', 'template', 'metadata', 'annotations');
  if (textAt(annotations, cloudConfigHashAnnotation) !== hash) return false;
  const generation = countAt(object, 'metadata', 'generation') ?? 0;
  if ((countAt(object, 'status', 'observedGeneration') ?? -1) < generation) return false;
  return kind === 'DaemonSet' ? areDaemonsNew(object) : areReplicasNew(object);
}

function areDaemonsNew(object: object): boolean {
  const wanted = countAt(object, 'status', 'desiredNumberScheduled') ?? 0;
  return (countAt(object, 'status', 'updatedNumberScheduled') ?? 0) >= wanted;
}

/** An old pod beside the new ones still counts among `replicas`. */
function areReplicasNew(object: object): boolean {
  const wanted = countAt(object, 'spec', 'replicas') ?? 1;
  const updated = countAt(object, 'status', 'updatedReplicas') ?? 0;
  return updated >= wanted && (countAt(object, 'status', 'replicas') ?? 0) <= updated;
}
