import type { OperationRecord } from '../../kubernetes/operation-record.ts';
import type { ClusterState } from '../cluster-state.ts';
import { sentence } from '../reason/sentence.ts';

/** Whether the operation gives the cluster another application credential. */
export function isRotation({ type }: OperationRecord): boolean {
  return type === 'cluster.credential.rotate';
}

/** What keeps the cluster from using its new application credential alone. */
export function rotationBlockers({ rotation }: ClusterState): string[] {
  if (rotation === undefined) return [sentence('Whether the new credential is in use is not checked yet')];
  switch (rotation.kind) {
    case 'waiting':
      return [rotation.told];
    case 'restart':
      return [sentence('The cloud integrations of the cluster have to restart with the new credential')];
    case 'moved':
      return rotation.replaced === 0 ? [] : [sentence('The replaced credential is not deleted yet')];
  }
}
