import type { CloudEventOut } from '../../shared/host/cloud-event.ts';
import type { Coalescer } from '../../shared/host/coalescer.ts';
import type { EventSink } from '../../shared/host/event-sink.ts';
import type { Logger } from '../../shared/host/logger.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { ApiServerProbe } from './api-server-probe.ts';

/** What telling the health of clusters needs from outside. */
export interface Environment {
  readonly kubernetes: KubernetesClient;
  /** Reports on changed clusters by stack id. */
  readonly changes: Coalescer<CloudEventOut | undefined>;
  /** Takes the reports that answer no event; undefined where nobody does. */
  readonly sink: EventSink | undefined;
  /** Asks the clusters themselves; undefined = Cluster API's word is enough. */
  readonly probe: ApiServerProbe | undefined;
  readonly log: Logger;
  readonly now: () => Date;
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}
