import type { EventData } from '../../shared/contract/event-types.ts';
import { checkSubject } from '../../shared/contract/operation-replies.ts';
import type { CloudEventIn, CloudEventOut } from '../../shared/host/cloud-event.ts';
import { Coalescer } from '../../shared/host/coalescer.ts';
import { type EventFunction, eventFunction, type FunctionContext } from '../../shared/host/event-function.ts';
import { createEventSink, type SinkSettings } from '../../shared/host/event-sink.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { Clock } from '../../shared/kubernetes/clock.ts';
import { acceptedEvents, healthRequestedType, pingType } from './accepted-events.ts';
import { createApiServerProbe } from './api-server-probe.ts';
import { changedCluster } from './changed-cluster.ts';
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

/** The health function: it tells the health of a cluster on request, and whenever something of it changes. */
export function healthFunction(options: HealthFunctionOptions): EventFunction {
  const { windowMs = defaultWindowMs, clock } = options;
  const changes = new Coalescer<CloudEventOut | undefined>({ windowMs, clock });
  const rounds = new Coalescer<void>({ windowMs, clock });
  const environmentOf = environments(options);
  return eventFunction({
    name: 'health',
    accepts: acceptedEvents,
    async handle(context, event) {
      const environment = environmentOf(context);
      const joinWith = <Result>(work: (environment: Environment) => Promise<Result>) => ({
        signal: context.signal,
        compute: (signal: AbortSignal) => work({ ...environment, signal }),
      });
      if (event.type === healthRequestedType) return await observeHealth(environment, requested(event));
      if (event.type === pingType) {
        await rounds.join('', joinWith(reportAll));
        return undefined;
      }
      const stackId = changedCluster(event.data);
      if (stackId === null) return undefined;
      const named = { uuid: null, stackId };
      const share = await changes.join(
        stackId,
        joinWith((shared) => observeHealth(shared, named)),
      );
      return share.claim() ? share.result : undefined;
    },
  });
}

/** @throws InvalidEventError */
function requested(event: RequestedEvent): NamedCluster {
  checkSubject(event);
  const { uuid, stack_id: stackId } = event.data.cluster;
  return { uuid, stackId: stackId || null };
}

/** What lasts longer than one event is made once. */
function environments(options: HealthFunctionOptions): (context: FunctionContext) => Environment {
  const { kubernetes, sink, probeTimeoutMs = 0, clock } = options;
  const lasting = {
    sink: sink && createEventSink({ ...sink, source: '/functions/health', clock }),
    probe: probeTimeoutMs > 0 ? createApiServerProbe(probeTimeoutMs) : undefined,
  };
  return ({ calls, log, now, signal }) => ({
    ...lasting,
    kubernetes: kubernetes.observedBy(() => calls.count('kubernetes')),
    log,
    now,
    signal,
  });
}
