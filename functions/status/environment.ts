import type { ServiceCloud } from '../../shared/cloud/service-session.ts';
import type { Coalescer } from '../../shared/host/coalescer.ts';
import type { EventSink } from '../../shared/host/event-sink.ts';
import type { Logger } from '../../shared/host/logger.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { Computation } from './observe-status.ts';

/** What carrying out one event needs from outside. */
export interface Environment {
  readonly kubernetes: KubernetesClient;
  readonly leaseSeconds: number | undefined;
  readonly onCloudRequest: () => void;
  /** The functions' own credential; undefined where there is none. */
  readonly serviceCloud: ServiceCloud | undefined;
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly now: () => Date;
  /** The computations of this process by stack id. */
  readonly computations: Coalescer<Computation>;
  /** Its repairs of autoscalers by stack id. */
  readonly repairs: Coalescer<void>;
  /** Takes the reports of a resync; null where nobody does. */
  readonly sink: EventSink | null;
  /** Version of the driver; part of the ClusterClass's name. */
  readonly version: string;
  readonly resyncLimits: ResyncLimits;
}

export interface ResyncLimits {
  /** Clusters that are computed at once. */
  readonly concurrency: number;
  /** Milliseconds for one cluster. */
  readonly clusterMs: number;
  /** Milliseconds for all of them. */
  readonly totalMs: number;
}
