import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';

/** What the server does with one request for a watch. */
export type WatchScript = (response: ServerResponse) => void;

/** An API server with one kind of objects, as far as a source sees it. */
export interface WatchedServer {
  readonly config: KubeConfig;
  /** Paths with their queries, in the order of the requests. */
  readonly requests: readonly URL[];
  /** Version that a list tells. */
  version: string;
  /** Statuses of the next lists, before they are answered. */
  readonly refusals: number[];
  close(): Promise<void>;
}

const resources = [
  { name: 'clusters', kind: 'Cluster', namespaced: true },
  { name: 'clusterclasses', kind: 'ClusterClass', namespaced: true },
];

/** @param watches one a watch, in their order; afterwards a watch that stays silent */
export async function startWatchedServer(watches: readonly WatchScript[]): Promise<WatchedServer> {
  const script = [...watches];
  const requests: URL[] = [];
  const refusals: number[] = [];
  const state = { version: '100' };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    requests.push(url);
    response.setHeader('content-type', 'application/json');
    if (url.searchParams.has('watch')) {
      response.flushHeaders();
      script.shift()?.(response);
      return;
    }
    const { code, body } = answerTo(url.pathname, state.version, refusals);
    response.writeHead(code).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    config: kubeConfig(`http://127.0.0.1:${port}`),
    requests,
    refusals,
    get version() {
      return state.version;
    },
    set version(version) {
      state.version = version;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerTo(path: string, resourceVersion: string, refusals: number[]) {
  if (path.endsWith('/v1beta2')) {
    return { code: 200, body: { kind: 'APIResourceList', groupVersion: 'cluster.x-k8s.io/v1beta2', resources } };
  }
  const code = path.includes('/v1beta2/') ? (refusals.shift() ?? 200) : 404;
  const list = { kind: 'ClusterList', metadata: { resourceVersion }, items: [] };
  return { code, body: code === 200 ? list : { kind: 'Status', code } };
}

function kubeConfig(server: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    // client-node takes plain HTTP only so.
    clusters: [{ name: 'c', server, skipTLSVerify: true }],
    users: [{ name: 'u' }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
  return config;
}

/** One line of a watch. */
export function line(type: string, name: string, resourceVersion: string): string {
  const metadata = { name, namespace: 'magnum-system', resourceVersion };
  return `${JSON.stringify({ type, object: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata } })}\n`;
}
