import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { KubernetesConnection } from '../../shared/kubernetes/connection.ts';

/** `unreachable`: the API server never sees the request; `lose-answer`: it acts, but its answer does not come back. */
export type Fault = 'none' | 'unreachable' | 'lose-answer';

export interface FaultyProxy {
  readonly url: string;
  /** Asked for each request. */
  decide: (method: string) => Fault;
  close(): void;
}

/** Stands between a client and the API server and breaks what it is told to. */
export async function startFaultyProxy({ server, caCertificate }: KubernetesConnection): Promise<FaultyProxy> {
  const agent = new https.Agent({ keepAlive: true, ca: caCertificate ?? '' });
  const proxy: FaultyProxy = { url: '', decide: () => 'none', close: () => undefined };
  const listener = http.createServer(async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const fault = proxy.decide(method);
    const body = await buffer(incoming);
    if (fault === 'unreachable') return void outgoing.destroy();
    const { host: _, ...forwarded } = headers;
    const request = https.request(`${server}${url}`, { agent, method, headers: forwarded }, (answer) => {
      if (fault === 'lose-answer') return void outgoing.destroy();
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    request.on('error', () => outgoing.destroy());
    request.end(body);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const close = () => {
    listener.closeAllConnections();
    listener.close();
    agent.destroy();
  };
  return Object.assign(proxy, { url: `http://127.0.0.1:${port}`, close });
}
