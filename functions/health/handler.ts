import type { EventData } from '../../shared/contract/event-types.ts';
import { checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventIn } from '../../shared/host/cloud-event.ts';
import { Coalescer } from '../../shared/host/coalescer.ts';
import { type EventFunction, eventFunction, type FunctionContext } from '../../shared/host/event-function.ts';
import { createEventSink, type SinkSettings } from '../../shared/host/event-sink.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { Clock } from '../../shared/kubernetes/clock.ts';
import { acceptedEvents, healthRequestedType, pingType } from './accepted-events.ts';
import { answerChange } from './answer-change.ts';
import { createApiServerProbe } from './api-server-probe.ts';
import type { Environment } from './environment.ts';
import { type NamedCluster, observeHealth } from './observe-health.ts';
import { reportAll } from './report-all.ts';

type RequestedEvent = CloudEventIn<typeof healthRequestedType, EventData<typeof healthRequestedType>>;

export interface HealthFunctionOptions {
  readonly kubernetes: KubernetesClient;
  /** Where the reports on all clusters go. @default nowhere */
  readonly sink?: SinkSettings | undefined;
  /** How long the changes of a cluster are gathered after it was looked at. @default 5000 */
  readonly windowMs?: number | undefined;
  /** How long a cluster's own API may take for an answer; 0 = it is not asked. @default 0 */
  readonly probeTimeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Health is no progress that somebody waits for, and Cluster API itself takes 50 s to notice a lost connection. */
const defaultWindowMs = 5000;

/** What the events of the process share. */
type Lasting = Pick<Environment, 'changes' | 'sink' | 'probe'>;

/** The health function: it tells the health of a cluster on request and when something of it changes, and of all now and then. */
export function healthFunction(options: HealthFunctionOptions): EventFunction {
  const { kubernetes, sink, windowMs = defaultWindowMs, probeTimeoutMs = 0, clock } = options;
  const lasting: Lasting = {
    changes: new Coalescer({ windowMs, clock }),
    sink: sink && createEventSink({ ...sink, source: '/functions/health', clock }),
    probe: probeTimeoutMs > 0 ? createApiServerProbe(probeTimeoutMs) : undefined,
  };
  const rounds = new Coalescer<void>({ windowMs, clock });
  return eventFunction({
    name: 'health',
    accepts: acceptedEvents,
    unread: [pingType],
    async handle(context, event) {
      const environment = environmentOf(kubernetes, context, lasting);
      if (event.type === healthRequestedType) return observeHealth(environment, requestedCluster(event));
      if (event.type !== pingType) return answerChange(environment, event.data);
      const compute = (signal: AbortSignal) => reportAll({ ...environment, signal });
      await rounds.join('all', { signal: context.signal, compute });
      return undefined;
    },
  });
}

/** @throws InvalidEventError */
function requestedCluster(event: RequestedEvent): NamedCluster {
  checkSubject(event);
  const { uuid, stack_id: stackId } = event.data.cluster;
  return { uuid, stackId: stackId || null };
}

function environmentOf(kubernetes: KubernetesClient, context: FunctionContext, lasting: Lasting): Environment {
  const { calls, log, now, signal } = context;
  return { ...lasting, kubernetes: kubernetes.observedBy(() => calls.count('kubernetes')), log, now, signal };
}
