import type { IncomingMessage } from 'node:http';
import { InvalidEventError } from '../contract/errors.ts';
import { TooLargeError } from './host-errors.ts';

/**
 * The whole body of a request. What is refused stays unread.
 * @param limit bytes
 * @param proceed called when the body is wanted
 * @throws TooLargeError as soon as the body is known to be larger; InvalidEventError when it breaks off
 */
export async function readBody(request: IncomingMessage, limit: number, proceed: () => void): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new TooLargeError(limit);
  if (request.destroyed) throw brokenOff();
  proceed();
  const chunks: Buffer[] = [];
  let size = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = (chunk: Buffer) => {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size > limit) reject(new TooLargeError(limit));
  };
  const breakOff = () => reject(brokenOff());
  request.on('data', take).on('end', resolve).on('close', breakOff);
  try {
    await promise;
  } finally {
    request.off('data', take).off('close', breakOff).pause();
  }
  return Buffer.concat(chunks, size);
}

function brokenOff(): InvalidEventError {
  return new InvalidEventError('The connection broke off within the body.');
}
