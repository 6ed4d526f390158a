import { Agent, type RequestOptions, request } from 'node:https';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { KubernetesApi } from '../../env/kubernetes-api.ts';
import { pathOf, type WatchedObject } from './infrastructure-objects.ts';
import { keyOf, type ObjectStore } from './object-store.ts';

/** Milliseconds before a list is read again after a watch was lost. */
const pause = 500;
/** Seconds after which the API server ends a watch by itself, so that none stays silently dead. */
const watchSeconds = 240;

export interface WatchConnection {
  readonly api: KubernetesApi;
  readonly server: string;
  readonly caCertificate: string;
  readonly adminToken: string;
  /** '' = all. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

const list = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string() }), items: z.array(z.unknown()) });

/** Keeps a store up to date until the signal is aborted: a list, then a watch, and both again whenever the watch ends. */
export async function watchObjects<T extends WatchedObject>(
  store: ObjectStore<T>,
  connection: WatchConnection,
): Promise<void> {
  const { type } = store.kind;
  const agent = new Agent({ keepAlive: true, ca: connection.caCertificate });
  while (!connection.signal.aborted) {
    try {
      const { metadata, items } = list.parse(await connection.api.call('GET', pathOf(type, connection.namespace)));
      store.replace(items.map((item) => ({ apiVersion: type.apiVersion, kind: type.kind, ...Object(item) })));
      await watchFrom(metadata.resourceVersion, { store, connection, agent });
    } catch {
      // The API server is away or too far ahead; the next list makes up for what was missed.
      await delay(pause, undefined, { signal: connection.signal }).catch(() => undefined);
    }
  }
  agent.destroy();
}

interface Watching<T extends WatchedObject> {
  readonly store: ObjectStore<T>;
  readonly connection: WatchConnection;
  readonly agent: Agent;
}

/** Resolves when the API server ends the watch; rejects when the connection or the version is lost. */
function watchFrom<T extends WatchedObject>(version: string, { store, connection, agent }: Watching<T>): Promise<void> {
  const query = new URLSearchParams({ watch: '1', resourceVersion: version, timeoutSeconds: String(watchSeconds) });
  const url = new URL(`${pathOf(store.kind.type, connection.namespace)}?${query}`, connection.server);
  const headers = { authorization: `Bearer ${connection.adminToken}` };
  const options: RequestOptions = { agent, headers, signal: connection.signal };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`The watch of ${store.kind.type.plural} was answered with ${response.statusCode}.`));
        response.resume();
        return;
      }
      response.on('error', reject);
      createInterface({ input: response })
        .on('line', (line) => {
          try {
            take(line, store);
          } catch (error) {
            sent.destroy();
            reject(error);
          }
        })
        .on('error', reject)
        .once('close', resolve);
    });
    sent.on('error', reject).end();
  });
}

const watchEvent = z.looseObject({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.unknown(),
});

function take<T extends WatchedObject>(line: string, store: ObjectStore<T>): void {
  const { type, object } = watchEvent.parse(JSON.parse(line));
  if (type === 'ERROR') throw new Error(`The watch of ${store.kind.type.plural} failed: ${JSON.stringify(object)}`);
  if (type === 'DELETED') store.remove(keyOf(store.kind.schema.parse(object)));
  else if (type !== 'BOOKMARK') store.put(object);
}
