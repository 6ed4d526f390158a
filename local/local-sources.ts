import type { KubeConfig } from '@kubernetes/client-node';
import type { Logger } from '../shared/host/logger.ts';
import { createEventSender, type EventSender } from './event/event-sender.ts';
import type { Destination, KnativeObjects } from './manifests/knative-objects.ts';
import { startPingSource } from './resync/ping-source.ts';
import { startApiServerSource } from './source/api-server-source.ts';

export interface LocalSourcesOptions {
  readonly objects: KnativeObjects;
  readonly config: KubeConfig;
  /** URL of a sink; undefined where it is not part of the local system. */
  readonly resolve: (sink: Destination) => string | undefined;
  readonly logger: Logger;
}

/** All sources of the manifests. */
export interface LocalSources {
  /** Ends the watches: what happens until `resume` is never told. */
  pause(): void;
  resume(): Promise<void>;
  /** Sends the events of all PingSources now. */
  ping(): Promise<void>;
  stop(): void;
}

interface Source {
  readonly metadata: { readonly namespace: string };
  readonly spec: { readonly sink: Destination };
}

/** @throws Error when a schedule cannot be read, the API server cannot be reached or does not serve a version */
export async function startLocalSources(options: LocalSourcesOptions): Promise<LocalSources> {
  const { objects, config, resolve, logger } = options;
  const start = <S extends Source, Running>(sources: readonly S[], run: (source: S, send: EventSender) => Running) =>
    sources.flatMap((source) => {
      const sink = resolve(source.spec.sink);
      const { namespace } = source.metadata;
      return sink === undefined ? [] : [run(source, createEventSender({ sink, namespace, logger }))];
    });
  const pinging = start(objects.pingSources, startPingSource);
  const stopPinging = () => pinging.map((each) => each.stop());
  const watching = await Promise.all(
    start(objects.apiServerSources, (source, send) => startApiServerSource({ source, config, send, logger })),
  ).catch((error: unknown) => {
    stopPinging();
    throw error;
  });
  const pause = () => {
    for (const each of watching) each.pause();
  };
  return {
    pause,
    resume: async () => void (await Promise.all(watching.map((each) => each.resume()))),
    ping: async () => void (await Promise.all(pinging.map((each) => each.ping()))),
    stop() {
      stopPinging();
      pause();
    },
  };
}
