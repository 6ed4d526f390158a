import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a subscriber answers; `drop` closes the connection without an answer, `hang` gives none. */
export type SubscriberAnswer =
  | 'drop'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export interface SubscribedEvent {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A subscriber of events as a real HTTP server. */
export interface SubscriberUnderTest {
  readonly url: string;
  readonly events: readonly SubscribedEvent[];
  /** Resolves when that many events have come. */
  received(count: number): Promise<readonly SubscribedEvent[]>;
  close(): Promise<void>;
}

/** @param answers one an event, in their order; afterwards 204 */
export async function startSubscriber(answers: readonly SubscriberAnswer[] = []): Promise<SubscriberUnderTest> {
  const script = [...answers];
  const events: SubscribedEvent[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    events.push({ headers: request.headers, body: await text(request) });
    const answer = script.shift() ?? { status: 204 };
    for (const { count, resolve } of waiting) if (events.length >= count) resolve();
    if (answer === 'drop') response.destroy();
    else if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    events,
    async received(count) {
      if (events.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return events;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
