import { stackIdOfObject } from '../../shared/magnum/stack-id.ts';
import { managementNamespace } from '../../shared/render/metadata.ts';

/** An object of the management cluster by its name alone. */
interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | null | undefined;
}

/** A change of any other kind cannot change the health. */
const kinds = new Set([
  'Cluster.cluster.x-k8s.io',
  'Machine.cluster.x-k8s.io',
  'MachineHealthCheck.cluster.x-k8s.io',
  'KubeadmControlPlane.controlplane.cluster.x-k8s.io',
]);

/** Stack id of the cluster whose health a change may concern; null where it concerns none. */
export function changedCluster(reference: ObjectReference): string | null {
  const { apiVersion, kind, namespace, name } = reference;
  // Without the version: a source may watch another one than is read.
  const isJudged = kinds.has(`${kind}.${apiVersion.split('/')[0]}`);
  return isJudged && namespace === managementNamespace ? stackIdOfObject(name) : null;
}
