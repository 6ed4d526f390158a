import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { lastingPort } from '../cloud/workload/lasting-ports.ts';

/** One request that Magnum has sent to a function. */
export interface FunctionCall {
  /** As `create`. */
  readonly function: string;
  /** Type of the event; '' where it has none. */
  readonly type: string;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
  /** null while there is no answer. */
  status: number | null;
}

/** What happens to a call: `lose` carries it out and loses the answer, `drop` breaks the connection before. */
export type CallFate = 'pass' | 'lose' | 'drop';

/** One address for all functions, as the ingress of Knative is: `http://127.0.0.1:<port>/<function>`. */
export class FunctionGateway {
  /** Every call, in the order of arrival. */
  readonly calls: FunctionCall[] = [];
  /** Asked before each call is passed on. @default pass */
  fateOf: (call: FunctionCall) => CallFate = () => 'pass';
  readonly #urls: Readonly<Record<string, string>>;
  readonly #server = createServer((incoming, outgoing) => {
    this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  readonly #port: number;

  private constructor(urls: Readonly<Record<string, string>>, port: number) {
    this.#urls = urls;
    this.#port = port;
  }

  /** @param urls of the functions, by name */
  static async start(urls: Readonly<Record<string, string>>): Promise<FunctionGateway> {
    const gateway = new FunctionGateway(urls, await lastingPort());
    await gateway.open();
    return gateway;
  }

  /** With `{function}` for the name. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/{function}`;
  }

  /** Listens, after `close` at the same address. */
  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(this.#port, '127.0.0.1', resolve);
    });
  }

  /** From now on connections are refused, and those that there are break. */
  async close(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const call = this.#record(incoming, body);
    const target = this.#urls[call.function];
    if (target === undefined) return void outgoing.writeHead(404).end();
    const fate = this.fateOf(call);
    if (fate === 'drop') return void outgoing.destroy();
    const { host, connection, ...headers } = incoming.headers;
    const passed = request(target, { method: incoming.method, headers });
    // The ingress answers for a function of which no pod runs.
    passed.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(503).end()));
    passed.on('response', (answer) => {
      call.status = answer.statusCode ?? null;
      if (fate === 'lose') return void answer.resume().on('end', () => outgoing.destroy());
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.end(body);
  }

  #record({ url = '/', headers }: IncomingMessage, body: Buffer): FunctionCall {
    const type = headers['ce-type'];
    const call = {
      function: url.split('/')[1] ?? '',
      type: typeof type === 'string' ? type : structuredType(body),
      at: performance.now(),
      status: null,
    };
    this.calls.push(call);
    return call;
  }
}

const typed = z.object({ type: z.string() });

function structuredType(body: Buffer): string {
  try {
    return typed.parse(JSON.parse(body.toString())).type;
  } catch {
    return '';
  }
}
