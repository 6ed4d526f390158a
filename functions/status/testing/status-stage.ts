import { createCallCounter } from '../../../shared/host/call-counter.ts';
import type { CloudEventOut } from '../../../shared/host/cloud-event.ts';
import type { FunctionContext } from '../../../shared/host/event-function.ts';
import { createLogger } from '../../../shared/host/logger.ts';
import { createKubernetesClient } from '../../../shared/kubernetes/client.ts';
import { type StatusFunctionOptions, statusFunction } from '../handler.ts';
import { ObjectStore } from './object-store.ts';
import { type SampleCluster, sampleObjects } from './sample-cluster.ts';

/** The status function on an object store. */
export interface StatusStage {
  readonly store: ObjectStore;
  readonly log: Record<string, unknown>[];
  /** The time that the function sees; may be set. */
  now: Date;
  /** Writes the objects of a cluster. */
  putCluster(cluster: SampleCluster): void;
  /** Has the function handle an event; the calls of its own are counted. */
  handle(event: StatusEvent, signal?: AbortSignal): Promise<Handled>;
  stop(): Promise<void>;
}

export interface StatusEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly subject?: string;
}

export interface Handled {
  readonly reply: CloudEventOut | undefined;
  /** Calls of the Kubernetes API for this event. */
  readonly calls: number;
}

export const startOfTime = new Date('2026-01-01T00:10:00.000Z');

export async function startStatusStage(options: Partial<StatusFunctionOptions> = {}): Promise<StatusStage> {
  const store = await ObjectStore.start();
  const kubernetes = createKubernetesClient({ server: store.url });
  const target = statusFunction({ kubernetes, version: '0.1.0', windowMs: 0, ...options });
  const log: Record<string, unknown>[] = [];
  const logger = createLogger({ destination: { write: (line) => void log.push(JSON.parse(line)) } });
  const stage: StatusStage = {
    store,
    log,
    now: startOfTime,
    putCluster(cluster) {
      for (const [type, object] of sampleObjects(cluster)) store.put(type, object);
    },
    async handle({ type, data, subject = '' }, signal = new AbortController().signal) {
      const calls = createCallCounter();
      const context: FunctionContext = { log: logger, signal, calls, now: () => stage.now };
      const attributes = { id: 'event-1', source: '/test', time: startOfTime.toISOString(), extensions: {} };
      const reply = await target.handle(context, { ...attributes, type, subject, data });
      return { reply, calls: calls.kubernetes };
    },
    async stop() {
      kubernetes.close();
      await store.stop();
    },
  };
  return stage;
}
