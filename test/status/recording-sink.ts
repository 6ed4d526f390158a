import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

/** An event that was sent to the sink. */
export interface SunkEvent {
  readonly headers: IncomingHttpHeaders;
  readonly data: unknown;
}

/** Stands for a broker: takes every event. */
export interface RecordingSink {
  readonly url: string;
  readonly events: SunkEvent[];
  stop(): Promise<void>;
}

export async function startRecordingSink(): Promise<RecordingSink> {
  const events: SunkEvent[] = [];
  const server = createServer(async (request, response) => {
    events.push({ headers: request.headers, data: JSON.parse(await text(request)) });
    response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/default`,
    events,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
