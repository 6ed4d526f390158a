import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** What the server does with one request; `drop` reads it and closes the connection, `hang` never answers. */
export type ScriptedAnswer =
  | 'drop'
  | 'hang'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      /** Closes the connection in the middle of the body. */
      readonly cut?: boolean;
    };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Connections that were ever opened. */
  readonly connections: () => number;
  /** Closes the kept connections, as an API server that restarts does. */
  dropConnections(): void;
  close(): Promise<void>;
}

interface ScriptedServerOptions {
  /** One a request, in this order; afterwards `{}` with status 200. */
  readonly answers?: readonly ScriptedAnswer[];
  readonly tls?: { readonly certificate: string; readonly privateKey: string };
  readonly port?: number;
}

/** A real HTTP server on this host that answers by a script, for tests of what an API server rarely does. */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const { answers = [], tls, port = 0 } = options;
  const script = [...answers];
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const onRequest = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url, headers, body: await text(request) });
    give(script.shift() ?? { status: 200 }, response);
  };
  const server = tls
    ? https.createServer({ cert: tls.certificate, key: tls.privateKey }, onRequest)
    : http.createServer(onRequest);
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    connections: () => connections,
    dropConnections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        dropConnections();
      }),
  };
}

function give(answer: ScriptedAnswer, response: http.ServerResponse): void {
  if (answer === 'hang') return;
  if (answer === 'drop') {
    response.destroy();
    return;
  }
  const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  if (answer.cut) response.write(body, () => response.destroy());
  else response.end(body);
}
