import type { ServiceCloud } from '../cloud/service-session.ts';
import type { Logger } from '../host/logger.ts';
import type { KubernetesClient } from '../kubernetes/client.ts';
import type { ClusterRepository, LiveSecret } from '../kubernetes/cluster-repository.ts';
import type { CustomObject } from '../kubernetes/kubernetes-object.ts';

/** What deleting a cluster needs from outside, in whichever function. */
export interface DeletionEnvironment {
  readonly kubernetes: KubernetesClient;
  readonly repository: ClusterRepository;
  readonly leaseSeconds: number | undefined;
  readonly onCloudRequest: () => void;
  /** The functions' own credential; undefined where there is none. */
  readonly serviceCloud: ServiceCloud | undefined;
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** A cluster that is being deleted, as it was found while its Lease was held. */
export interface Deletion {
  readonly environment: DeletionEnvironment;
  /** Magnum's UUID of the cluster. */
  readonly uuid: string;
  readonly stackId: string;
  readonly cluster: CustomObject | null;
  /** The cloud-config Secret, which goes last. */
  readonly secret: LiveSecret | null;
  /** Runs before each write. @throws DriverError when the Lease is lost or nobody waits for the result */
  readonly proceed: () => void;
}
