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
  const body = new GrowingBuffer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = (chunk: Buffer) => {
    if (body.size + chunk.byteLength > limit) reject(new TooLargeError(limit));
    else body.append(chunk);
  };
  const breakOff = () => reject(brokenOff());
  request.on('data', take).on('end', resolve).on('close', breakOff);
  try {
    await promise;
  } finally {
    request.off('data', take).off('close', breakOff).pause();
  }
  return body.content();
}

function brokenOff(): InvalidEventError {
  return new InvalidEventError('The connection broke off within the body.');
}

/** Bytes one after the other. To keep the chunks themselves would cost a sender's byte hundreds of ours: each is an object. */
class GrowingBuffer {
  #bytes = Buffer.allocUnsafe(4096);
  size = 0;

  append(chunk: Buffer): void {
    const needed = this.size + chunk.byteLength;
    if (needed > this.#bytes.byteLength) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.byteLength));
      this.#bytes.copy(larger, 0, 0, this.size);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.size);
    this.size = needed;
  }

  content(): Buffer {
    return this.#bytes.subarray(0, this.size);
  }
}
