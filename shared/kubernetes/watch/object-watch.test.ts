import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../host/logger.ts';
import { instantClock } from '../testing/instant-clock.ts';
import { line, startWatchedServer, type WatchedServer, type WatchScript } from '../testing/watched-server.ts';
import { collectionReader } from './collection.ts';
import { startObjectWatch } from './object-watch.ts';

const resource = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  selector: { matchExpressions: [{ key: 'cluster-uuid', operator: 'Exists' as const }] },
};

/** Of a busy machine. */
const patient = { timeout: 20_000 };

let server: WatchedServer;
let running: AbortController;
beforeEach(() => {
  running = new AbortController();
});
afterEach(async () => {
  running.abort();
  await server.close();
});

/** Watches a server with this script; `changes` grows, and `seen(n)` waits for n of them. */
async function watch(script: readonly WatchScript[], onChange?: () => Promise<void>) {
  server = await startWatchedServer(script);
  const changes: string[] = [];
  const log: string[] = [];
  const isServed = await startObjectWatch({
    config: server.config,
    resource,
    readCollection: collectionReader(server.config, 'magnum-system'),
    async onChange(change, { kind, name, namespace }) {
      changes.push(`${change} ${kind} ${namespace}/${name}`);
      await onChange?.();
    },
    logger: createLogger({ destination: { write: (text) => void log.push(text) } }),
    signal: running.signal,
    clock: instantClock(),
  });
  expect(isServed).toBe(true);
  return { changes, log, seen: (count: number) => expect.poll(() => changes.length, patient).toBe(count) };
}

const watches = () => server.requests.filter(({ searchParams }) => searchParams.has('watch'));
const versions = () => watches().map(({ searchParams }) => searchParams.get('resourceVersion'));

test('a watch tells changes from the version of the list on, in their order, and nothing of bookmarks', async () => {
  const { changes, seen } = await watch([
    (response) => {
      response.write(line('ADDED', 'a', '101') + line('BOOKMARK', '', '102'));
      response.write(line('MODIFIED', 'a', '103') + line('DELETED', 'a', '104'));
    },
  ]);
  await seen(3);
  expect(changes).toEqual(['ADDED', 'MODIFIED', 'DELETED'].map((change) => `${change} Cluster magnum-system/a`));
  const [first] = watches();
  expect(first?.pathname).toBe('/apis/cluster.x-k8s.io/v1beta2/namespaces/magnum-system/clusters');
  expect(Object.fromEntries(first?.searchParams ?? [])).toEqual({
    watch: 'true',
    resourceVersion: '100',
    labelSelector: 'cluster-uuid',
    allowWatchBookmarks: 'true',
    timeoutSeconds: '25',
  });
});

test.each<[string, WatchScript]>([
  ['the API server ends', (response) => response.end(line('ADDED', 'a', '101') + line('BOOKMARK', '', '105'))],
  [
    'breaks',
    (response) =>
      response.write(line('ADDED', 'a', '101') + line('BOOKMARK', '', '105'), () =>
        setImmediate(() => response.destroy()),
      ),
  ],
])('a watch that %s goes on from the last version', async (_title, end) => {
  const { changes, seen } = await watch([end, (response) => response.write(line('MODIFIED', 'b', '106'))]);
  await seen(2);
  expect(versions().slice(0, 2)).toEqual(['100', '105']);
  expect(changes.at(-1)).toBe('MODIFIED Cluster magnum-system/b');
});

const expired = `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old' } })}\n`;

test('a version that is too old is replaced by that of a new list, and what happened meanwhile is never told', async () => {
  const { changes, log, seen } = await watch([
    (response) => {
      server.version = '500';
      response.end(expired);
    },
    (response) => response.write(line('MODIFIED', 'b', '501')),
  ]);
  await seen(1);
  expect(versions().slice(0, 2)).toEqual(['100', '500']);
  expect(changes).toEqual(['MODIFIED Cluster magnum-system/b']);
  expect(JSON.parse(log[0] ?? '')).toMatchObject({ level: 'warn', kind: 'Cluster', reason: '410 too old' });
});

test('a change waits until the one before it was sent', async () => {
  const first = Promise.withResolvers<void>();
  const { changes, seen } = await watch(
    [(response) => response.write(line('ADDED', 'a', '101') + line('ADDED', 'b', '102'))],
    () => first.promise,
  );
  await seen(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(changes).toHaveLength(1);
  first.resolve();
  await seen(2);
});

test('after the end nothing is told any more', async () => {
  let response: Parameters<WatchScript>[0] | undefined;
  const { changes, seen } = await watch([
    (given) => {
      response = given;
      given.write(line('ADDED', 'a', '101'));
    },
  ]);
  await seen(1);
  running.abort();
  response?.write(line('ADDED', 'b', '102'));
  await expect.poll(() => response?.destroyed, patient).toBe(true);
  expect(changes).toHaveLength(1);
});

describe('a kind', () => {
  const watchOf = (kind: string) =>
    startObjectWatch({
      config: server.config,
      resource: { ...resource, kind },
      readCollection: collectionReader(server.config, 'magnum-system'),
      onChange: async () => undefined,
      logger: createLogger({ level: 'silent' }),
      signal: running.signal,
      clock: instantClock(),
    });

  test('that the API server does not serve is left out', async () => {
    server = await startWatchedServer([]);
    expect(await watchOf('Other')).toBe(false);
    expect(watches()).toEqual([]);
  });

  test.each([
    [
      'of a version that the API server does not serve',
      { ...resource, apiVersion: 'cluster.x-k8s.io/v1' },
      [],
      'does not serve',
    ],
    ['that nobody may list', resource, [403], 'has no right to (403)'],
  ])('%s is an error in one sentence', async (_title, wanted, refusals, sentence) => {
    server = await startWatchedServer([]);
    server.refusals.push(...refusals);
    const reading = collectionReader(server.config, 'magnum-system')(wanted);
    await expect(reading).rejects.toThrow(`Cluster of ${wanted.apiVersion} cannot be watched: `);
    await expect(reading).rejects.toThrow(sentence);
  });

  test('whose API server is still starting is listed again', async () => {
    server = await startWatchedServer([]);
    server.refusals.push(429, 503);
    expect(await watchOf('Cluster')).toBe(true);
    await expect.poll(() => versions(), patient).toEqual(['100']);
  });

  test('cannot be watched where there is no API server', async () => {
    server = await startWatchedServer([]);
    const read = collectionReader(server.config, 'magnum-system');
    await server.close();
    await expect(read(resource)).rejects.toThrow(/cannot be watched: .*ECONNREFUSED/);
    server = await startWatchedServer([]);
  });
});
