import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { afterEach, expect, test, vi } from 'vitest';
import { connectApi, type KubernetesApi } from '../../env/kubernetes-api.ts';
import { makeServerCertificate } from '../openstack/certificate.ts';
import { kinds } from './infrastructure-objects.ts';
import { ObjectStore } from './object-store.ts';
import { watchObjects } from './watch-objects.ts';

const limit = { timeout: 10_000, interval: 20 };
const stopping: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stopping.splice(0)) await stop();
});

function cluster(name: string, resourceVersion: string) {
  const metadata = { name, namespace: 'n', uid: name, resourceVersion };
  return { apiVersion: kinds.cluster.type.apiVersion, kind: 'Cluster', metadata, spec: {} };
}

/** An API server that lists what it is told and lets the test drive its watches. */
class ListingServer {
  items: object[] = [];
  readonly watches: { readonly version: string | null; readonly response: ServerResponse }[] = [];
  readonly #server: Server;

  constructor(options: { readonly cert: string; readonly key: string }) {
    this.#server = createServer(options, (request, response) => {
      const url = new URL(request.url ?? '', 'https://localhost');
      response.writeHead(200, { 'content-type': 'application/json' });
      if (url.searchParams.get('watch') === null) {
        const items = this.items.map((item) => ({ ...item, apiVersion: undefined, kind: undefined }));
        response.end(JSON.stringify({ metadata: { resourceVersion: '100' }, items }));
        return;
      }
      response.flushHeaders();
      this.watches.push({ version: url.searchParams.get('resourceVersion'), response });
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

async function watched() {
  const { caCertificate, certificate, privateKey } = await makeServerCertificate();
  const server = new ListingServer({ cert: certificate, key: privateKey });
  const url = await server.listen();
  const api: KubernetesApi = connectApi({ server: url, caCertificate, token: 'token' });
  const store = new ObjectStore(kinds.cluster, () => undefined);
  const controller = new AbortController();
  const { signal } = controller;
  const watching = watchObjects(store, { api, server: url, caCertificate, adminToken: 'token', namespace: '', signal });
  stopping.push(
    () => controller.abort(),
    () => watching,
    () => api.close(),
    () => server.close(),
  );
  const names = () => store.list().map(({ metadata }) => metadata.name);
  const watch = (index: number) => vi.waitFor(() => expect(server.watches[index]).toBeDefined(), limit);
  return { server, names, watch };
}

function send(server: ListingServer, index: number, type: string, object: object): void {
  server.watches[index]?.response.write(`${JSON.stringify({ type, object })}\n`);
}

test('A store follows the list and then the watch from there', async () => {
  const { server, names, watch } = await watched();
  await watch(0);
  expect(server.watches[0]?.version).toBe('100');
  send(server, 0, 'ADDED', cluster('a', '101'));
  send(server, 0, 'BOOKMARK', { metadata: { resourceVersion: '102' } });
  send(server, 0, 'ADDED', cluster('b', '103'));
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']), limit);
  send(server, 0, 'DELETED', cluster('a', '104'));
  await vi.waitFor(() => expect(names()).toEqual(['b']), limit);
});

test.each<[string, (server: ListingServer) => void]>([
  ['ended', (server) => server.watches[0]?.response.end()],
  ['cut', (server) => server.watches[0]?.response.destroy()],
  ['too old', (server) => send(server, 0, 'ERROR', { kind: 'Status', code: 410 })],
  ['no sense', (server) => server.watches[0]?.response.write('what?\n')],
])('After a watch that is %s everything is listed again, and what is gone meanwhile is missed', async (_, end) => {
  const { server, names, watch } = await watched();
  await watch(0);
  send(server, 0, 'ADDED', cluster('a', '101'));
  await vi.waitFor(() => expect(names()).toEqual(['a']), limit);
  server.items = [cluster('c', '105')];
  end(server);
  await watch(1);
  expect(names()).toEqual(['c']);
  send(server, 1, 'ADDED', cluster('d', '106'));
  await vi.waitFor(() => expect(names()).toEqual(['c', 'd']), limit);
});
