import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { ClusterRepository } from '../../shared/kubernetes/cluster-repository.ts';
import type { ClusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';

/** What carrying out one event needs from outside. */
export interface Environment {
  readonly kubernetes: KubernetesClient;
  readonly repository: ClusterRepository;
  readonly classes: ClusterClassSet;
  readonly leaseSeconds: number | undefined;
  readonly onCloudRequest: () => void;
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}
