import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a subscriber answers; `drop` closes the connection without an answer, `hang` gives none. */
export type SubscriberAnswer =
  | 'drop'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export interface SubscribedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A subscriber of events as a real HTTP server. */
export interface SubscriberUnderTest {
  readonly url: string;
  readonly events: readonly SubscribedEvent[];
  /** Resolves when that many events have come. */
  received(count: number): Promise<readonly SubscribedEvent[]>;
  /** Answers what hangs. */
  answer(answer: { readonly status: number; readonly body?: string }): void;
  close(): Promise<void>;
}

/**
 * @param answers one an event, in their order; afterwards 204
 * @param address of this machine
 */
export async function startSubscriber(
  answers: readonly SubscriberAnswer[] = [],
  address = '127.0.0.1',
): Promise<SubscriberUnderTest> {
  const script = [...answers];
  const events: SubscribedEvent[] = [];
  const hanging: ServerResponse[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const send = (response: ServerResponse, answer: SubscriberAnswer) => {
    if (answer === 'drop') response.destroy();
    else if (answer === 'hang') hanging.push(response);
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer(async (request, response) => {
    events.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    for (const { count, resolve } of waiting) if (events.length >= count) resolve();
    send(response, script.shift() ?? { status: 204 });
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}/`,
    events,
    async received(count) {
      if (events.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return events;
    },
    answer({ status, body }) {
      for (const response of hanging.splice(0)) response.writeHead(status).end(body);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
