import type * as z from 'zod';
import type { objectReference } from '../../shared/contract/requests.ts';
import type { CloudEventOut } from '../../shared/host/cloud-event.ts';
import { stackIdOfObject } from '../../shared/magnum/stack-id.ts';
import { managementNamespace } from '../../shared/render/metadata.ts';
import type { Environment } from './environment.ts';
import { observeHealth } from './observe-health.ts';

type ObjectReference = z.output<typeof objectReference>;

/** A change of any other kind cannot change the health. */
const kinds = new Set([
  'Cluster.cluster.x-k8s.io',
  'Machine.cluster.x-k8s.io',
  'MachineHealthCheck.cluster.x-k8s.io',
  'KubeadmControlPlane.controlplane.cluster.x-k8s.io',
]);

/**
 * The health of the cluster that a changed object belongs to. Of the events that share a computation, one carries the report.
 * @throws KubernetesError
 */
export async function answerChange(
  environment: Environment,
  object: ObjectReference,
): Promise<CloudEventOut | undefined> {
  const stackId = changedCluster(object);
  if (stackId === null) return undefined;
  const { result, claim } = await environment.changes.join(stackId, {
    signal: environment.signal,
    compute: (signal) => observeHealth({ ...environment, signal }, { uuid: null, stackId }),
  });
  return claim() ? result : undefined;
}

/** Known by its name alone, so that no call is made for what does not matter. */
function changedCluster({ apiVersion, kind, namespace, name }: ObjectReference): string | null {
  // Without the version: a source may watch another one than is read.
  const isJudged = kinds.has(`${kind}.${apiVersion.split('/')[0]}`);
  return isJudged && namespace === managementNamespace ? stackIdOfObject(name) : null;
}
