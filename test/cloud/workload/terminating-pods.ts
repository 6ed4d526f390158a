import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { KubernetesApi } from '../../env/kubernetes-api.ts';
import { endPod } from './nodes.ts';
import type { WorkloadAccess } from './workload-cluster.ts';

/** Ends the deletion of pods, as the kubelets of running machines do; a drain would wait for ever. */
export interface PodTermination {
  /** Looks at all pods again: a machine is back. */
  rescan(): void;
  close(): void;
}

interface TerminationOptions {
  readonly access: WorkloadAccess;
  readonly api: KubernetesApi;
  readonly isRunning: (node: string) => boolean;
}

const watchEvent = z.object({
  object: z.object({
    metadata: z.object({ name: z.string(), namespace: z.string(), deletionTimestamp: z.string().optional() }),
    spec: z.object({ nodeName: z.string().default('') }),
  }),
});

/** Milliseconds between two watches; the first begins before there is an API server. */
const pause = 1_000;

export function endTerminatingPods({ access, api, isRunning }: TerminationOptions): PodTermination {
  const stopped = new AbortController();
  const agent = new Agent({ ca: access.caCertificate, cert: access.clientCertificate, key: access.clientKey });
  let round = new AbortController();
  const look = async (line: string) => {
    const { metadata, spec } = watchEvent.parse(JSON.parse(line)).object;
    if (metadata.deletionTimestamp !== undefined && isRunning(spec.nodeName)) {
      await endPod(api, metadata);
    }
  };
  const run = async () => {
    while (!stopped.signal.aborted) {
      round = new AbortController();
      const signal = AbortSignal.any([stopped.signal, round.signal]);
      // What fails here, an API server that is down for one, is tried again: a new watch tells of all pods first.
      await watchPods(access, { agent, signal, look }).catch(() => undefined);
      await delay(pause, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    agent.destroy();
  };
  void run();
  return { rescan: () => round.abort(), close: () => stopped.abort() };
}

interface Watch {
  readonly agent: Agent;
  readonly signal: AbortSignal;
  readonly look: (line: string) => Promise<void>;
}

/** Returns when the API server ends the watch. */
async function watchPods({ server }: WorkloadAccess, { agent, signal, look }: Watch): Promise<void> {
  const response = await new Promise<AsyncIterable<string>>((resolve, reject) => {
    const sent = request(new URL('/api/v1/pods?watch=1', server), { agent, signal }, (answer) => {
      answer.once('error', reject);
      resolve(createInterface({ input: answer }));
    });
    sent.once('error', reject).end();
  });
  for await (const line of response) {
    await look(line);
  }
}
