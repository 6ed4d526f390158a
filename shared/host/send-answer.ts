import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is sent back: an answer to an event, or a page. */
export interface Content {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Milliseconds that a sender gets to notice an answer before its connection closes under the body that it still sends. */
const linger = 1000;

/**
 * Sends an answer. When the body of the request has not come whole, the connection closes after it: the rest is read and
 * dropped for a moment first, since closing upon unread data resets the connection and can take the answer with it.
 */
export function sendAnswer(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  content: Content,
  isLast: boolean,
): void {
  const isWhole = request.complete || request.destroyed;
  response.writeHead(content.status, {
    ...content.headers,
    ...(content.status === 204 ? {} : { 'content-length': Buffer.byteLength(content.body) }),
    ...(isLast || !isWhole ? { connection: 'close' } : {}),
  });
  if (isWhole) {
    response.end(content.body);
    return;
  }
  response.write(content.body);
  const end = () => response.end();
  const timer = setTimeout(end, linger);
  request.once('close', () => clearTimeout(timer));
  request.once('end', end).resume();
}
