import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKubernetesClient, type KubernetesClient } from '../../../shared/kubernetes/client.ts';
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes-object.ts';

export interface ManagementCluster {
  readonly kubernetes: KubernetesClient;
  /** Objects by the plural of their kind; a test changes them as it likes. */
  readonly objects: Record<'clusters' | 'machines' | 'secrets', KubernetesObject[]>;
  /** Paths and queries of all requests so far. */
  readonly requests: readonly string[];
  /** Plurals whose requests get an HTTP status. */
  readonly refused: Map<string, number>;
  close(): Promise<void>;
}

/** A real HTTP server that reads like the API server of a management cluster, two objects a page. */
export async function startManagementCluster(): Promise<ManagementCluster> {
  const objects = { clusters: [], machines: [], secrets: [] };
  const requests: string[] = [];
  const refused = new Map<string, number>();
  const server = http.createServer((request, response) => {
    requests.push(request.url ?? '');
    const { status, body } = answer(new URL(request.url ?? '', 'http://localhost'), { objects, refused });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const kubernetes = createKubernetesClient({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  return {
    kubernetes,
    objects,
    requests,
    refused,
    close: () => {
      kubernetes.close();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const path = /^\/apis?\/.*\/namespaces\/magnum-system\/(?<plural>\w+)(?:\/(?<name>[^/]+))?$/;
const pageSize = 2;

interface Content {
  readonly objects: Readonly<Record<string, readonly KubernetesObject[]>>;
  readonly refused: ReadonlyMap<string, number>;
}

function answer(url: URL, { objects, refused }: Content) {
  const { plural = '', name } = path.exec(url.pathname)?.groups ?? {};
  const refusal = refused.get(plural);
  if (refusal !== undefined) return failure(refusal, plural, name);
  const all = (objects[plural] ?? []).map(withUid);
  if (name === undefined) return { status: 200, body: page(all.filter(selected(url)), url) };
  const found = all.find(({ metadata }) => metadata?.name === name);
  return found === undefined ? failure(404, plural, name) : { status: 200, body: found };
}

function withUid(object: KubernetesObject): KubernetesObject {
  return { ...object, metadata: { uid: `uid of ${object.metadata?.name}`, ...object.metadata } };
}

function page(items: readonly KubernetesObject[], url: URL) {
  const start = Number(url.searchParams.get('continue') ?? 0);
  const end = start + pageSize;
  return { metadata: end < items.length ? { continue: String(end) } : {}, items: items.slice(start, end) };
}

/** By a label's `name=value` or `name`, or by the object's name. */
function selected(url: URL): (object: KubernetesObject) => boolean {
  const named = url.searchParams.get('fieldSelector')?.replace('metadata.name=', '');
  if (named !== undefined) return ({ metadata }) => metadata?.name === named;
  const [label = '', value] = (url.searchParams.get('labelSelector') ?? '').split('=');
  return ({ metadata }) => {
    const actual = metadata?.labels?.[label];
    return label === '' || (value === undefined ? actual !== undefined : actual === value);
  };
}

function failure(code: number, kind: string, name = '') {
  const reason = code === 404 ? 'NotFound' : code === 403 ? 'Forbidden' : 'InternalError';
  return { status: code, body: { kind: 'Status', status: 'Failure', reason, code, details: { kind, name } } };
}
