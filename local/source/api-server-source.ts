import type { KubeConfig } from '@kubernetes/client-node';
import type { Logger } from '../../shared/host/logger.ts';
import type { Clock } from '../../shared/kubernetes/clock.ts';
import { collectionReader } from '../../shared/kubernetes/watch/collection.ts';
import { startObjectWatch } from '../../shared/kubernetes/watch/object-watch.ts';
import type { EventSender } from '../event/event-sender.ts';
import type { ApiServerSource } from '../manifests/knative-objects.ts';
import { referenceEvent } from './reference-event.ts';

export interface ApiServerSourceOptions {
  readonly source: ApiServerSource;
  readonly config: KubeConfig;
  readonly send: EventSender;
  readonly logger: Logger;
  readonly clock?: Clock | undefined;
}

/** A source that runs. */
export interface RunningSource {
  /** Ends all watches, as when Knative's adapter is down: what happens until `resume` is never told. */
  pause(): void;
  /** Watches again. @throws as the start does */
  resume(): Promise<void>;
}

/**
 * Sends an event for every change of the objects that the source names, and none for those that are there already.
 * @returns once nothing from now on is missed
 * @throws Error when the API server cannot be reached or does not serve a version
 */
export async function startApiServerSource(options: ApiServerSourceOptions): Promise<RunningSource> {
  let running = await watchAll(options);
  return {
    pause: () => running.abort(),
    async resume() {
      running.abort();
      running = await watchAll(options);
    },
  };
}

async function watchAll({ source, config, send, ...shared }: ApiServerSourceOptions): Promise<AbortController> {
  const running = new AbortController();
  const { signal } = running;
  const readCollection = collectionReader(config, source.metadata.namespace);
  const server = config.getCurrentCluster()?.server ?? '';
  const start = async (resource: ApiServerSource['spec']['resources'][number]) => {
    const isServed = await startObjectWatch({
      ...shared,
      config,
      resource,
      readCollection,
      onChange: (change, object) => send(referenceEvent(change, object, server), signal),
      signal,
    });
    const { apiVersion, kind } = resource;
    if (!isServed)
      shared.logger.warn({ apiVersion, kind }, 'the API server has no such kind: nothing of it will be told');
  };
  try {
    await Promise.all(source.spec.resources.map(start));
  } catch (error) {
    running.abort();
    throw error;
  }
  return running;
}
