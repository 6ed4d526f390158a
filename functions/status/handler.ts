import type { ServiceCloud } from '../../shared/cloud/service-session.ts';
import { Coalescer } from '../../shared/host/coalescer.ts';
import { type EventFunction, eventFunction, type FunctionContext } from '../../shared/host/event-function.ts';
import { createEventSink, type SinkSettings } from '../../shared/host/event-sink.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { Clock } from '../../shared/kubernetes/clock.ts';
import { cloudObserver } from '../../shared/telemetry/observe-calls.ts';
import { acceptedEvents, pingType, statusRequestedType } from './accepted-events.ts';
import { answerChange } from './answer-change.ts';
import { answerRequest } from './answer-request.ts';
import type { Environment, ResyncLimits } from './environment.ts';
import type { Computation } from './observe-status.ts';
import { resync } from './resync.ts';

export interface StatusFunctionOptions {
  readonly kubernetes: KubernetesClient;
  /** Version of the driver; part of the ClusterClass's name. */
  readonly version: string;
  /** Lifetime of the cluster's Lease without renewal. @default 15 */
  readonly leaseSeconds?: number | undefined;
  /** The functions' own credential. @default none */
  readonly serviceCloud?: ServiceCloud | undefined;
  /** Where the reports of a resync go. @default nowhere */
  readonly sink?: SinkSettings | undefined;
  /** How long the events of a cluster are gathered after it was computed. @default 800 */
  readonly windowMs?: number | undefined;
  /** Of those that are not given, the defaults apply. */
  readonly resyncLimits?: Partial<ResyncLimits> | undefined;
  readonly clock?: Clock | undefined;
}

/** Below the 110 s that the host gives an event, so that a resync ends by itself. */
const defaultLimits: ResyncLimits = { concurrency: 8, clusterMs: 10_000, totalMs: 90_000 };

/** What the events of the process share. */
type Lasting = Pick<Environment, 'computations' | 'repairs' | 'sink' | 'resyncLimits'>;

/** The status function: it reports clusters when something of them changes, on request, and all of them now and then. */
export function statusFunction(options: StatusFunctionOptions): EventFunction {
  const { windowMs, clock, sink, resyncLimits } = options;
  const lasting: Lasting = {
    computations: new Coalescer<Computation>({ windowMs, clock }),
    repairs: new Coalescer<void>({ windowMs, clock }),
    sink: sink === undefined ? null : createEventSink({ ...sink, source: '/functions/status', clock }),
    resyncLimits: { ...defaultLimits, ...resyncLimits },
  };
  const resyncOnce = shared(resync);
  return eventFunction({
    name: 'status',
    accepts: acceptedEvents,
    unread: [pingType],
    async handle(context, event) {
      const environment = environmentOf(options, context, lasting);
      if (event.type === statusRequestedType) return answerRequest(environment, event);
      if (event.type !== pingType) return answerChange(environment, event.data);
      await resyncOnce(environment);
      return undefined;
    },
  });
}

/** Work of which one run is enough for all who ask while it runs: it only makes good what events have missed. */
function shared<Input>(work: (input: Input) => Promise<void>): (input: Input) => Promise<void> {
  let running: Promise<void> | undefined;
  return (input) => {
    running ??= work(input).finally(() => {
      running = undefined;
    });
    return running;
  };
}

function environmentOf(options: StatusFunctionOptions, context: FunctionContext, lasting: Lasting): Environment {
  return {
    ...lasting,
    kubernetes: options.kubernetes.observedBy(() => context.calls.count('kubernetes')),
    leaseSeconds: options.leaseSeconds,
    onCloudRequest: cloudObserver(context.calls),
    serviceCloud: options.serviceCloud,
    version: options.version,
    signal: context.signal,
    log: context.log,
    now: context.now,
  };
}
