import { type CarriedEvent, eventHeaders } from '../../shared/event/carried-event.ts';
import { postEvent } from '../../shared/event/post-event.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';
import { createTransport } from '../../shared/kubernetes/transport.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import type { ManagementCluster } from '../management-cluster.ts';

/** What takes events; 2xx = it has the event. */
export interface BrokerEntrance {
  /** @throws Error in one sentence where there is no answer */
  send(event: CarriedEvent, signal: AbortSignal): Promise<EntranceAnswer>;
  close(): void;
}

export interface EntranceAnswer {
  readonly status: number;
  readonly text: string;
}

/** Milliseconds: a broker that stores events answers at once, one in memory when its subscribers have. */
const patience = 60_000;

/** An address that can be reached from here. */
export function entranceAt(url: string, token: string | undefined): BrokerEntrance {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    async send(event, signal) {
      try {
        const { status, body } = await postEvent({ url, event, headers, timeout: patience, signal });
        return { status, text: body.toString('utf8') };
      } catch (error) {
        throw unreachable(new URL(url).host, error);
      }
    },
    close: () => undefined,
  };
}

const broker: ResourceType = {
  apiVersion: 'eventing.knative.dev/v1',
  kind: 'Broker',
  plural: 'brokers',
  namespaced: true,
};
const brokerName = 'magnum';

/**
 * The Broker, through the API server of the management cluster.
 * @throws Error in one sentence where there is none, or it cannot be reached that way
 */
export async function brokerEntrance(cluster: ManagementCluster, signal: AbortSignal): Promise<BrokerEntrance> {
  const { client, connection, namespace } = cluster;
  const title = `The Broker ${namespace}/${brokerName}`;
  const found = await client.find(broker, { namespace, name: brokerName }, { signal });
  if (found === undefined) throw new Error(`${title} is not there: is knative/ applied? Otherwise say --to.`);
  const address = textAt(found, 'status', 'address', 'url');
  if (address === null) throw new Error(`${title} has no address yet: it is not ready.`);
  if (textAt(found, 'status', 'address', 'audience') !== null) {
    const way = 'run this where the Broker can be reached, with --to and --token-file';
    throw new Error(`${title} demands a token, which the API server does not pass on: ${way}.`);
  }
  const path = proxyPath(address);
  if (path === undefined) throw new Error(`${title} is at ${address}, no Service of the cluster: say --to.`);
  const transport = createTransport(connection);
  return {
    async send(event, abort) {
      const token = await connection.token?.();
      const headers = { ...eventHeaders(event), ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
      const request = { method: 'POST', path, headers, body: event.body.toString('utf8') } as const;
      try {
        const { status, body } = await transport.send({ ...request, timeoutMs: patience, signal: abort });
        return { status, text: body };
      } catch (error) {
        throw unreachable('The management cluster', error);
      }
    },
    close: () => transport.close(),
  };
}

const ports: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Path by which an API server passes requests on to an address in the cluster; undefined for one that is no Service's. */
export function proxyPath(address: string): string | undefined {
  const { protocol, hostname, port, pathname } = new URL(address);
  const [service, namespace, svc] = hostname.split('.');
  if (svc !== 'svc' || ports[protocol] === undefined) return undefined;
  const target = `${protocol}${service}:${port || ports[protocol]}`;
  return `/api/v1/namespaces/${namespace}/services/${target}/proxy${pathname}`;
}

function unreachable(what: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${what} cannot be reached: ${reason}`, { cause });
}
