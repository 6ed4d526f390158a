import { setTimeout as sleep } from 'node:timers/promises';
import { openRaw } from '../host/raw-client.ts';

/** An answer as its bytes say. */
export interface WireAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Writes the bytes of one request on a connection of its own and reads one answer; the connection stays open until then. */
export async function exchangeWire(port: number, request: Buffer): Promise<WireAnswer> {
  return exchange(port, [request]);
}

/** The same, each byte in a packet of its own. */
export async function exchangeBytes(port: number, request: Buffer): Promise<WireAnswer> {
  return exchange(
    port,
    Array.from(request, (byte) => Buffer.of(byte)),
  );
}

async function exchange(port: number, packets: readonly Buffer[]): Promise<WireAnswer> {
  const { socket, received, closed } = await openRaw(port);
  socket.setNoDelay(true);
  const answered = new Promise<WireAnswer>((resolve) => {
    socket.on('data', () => {
      const answer = readAnswer(received());
      if (answer !== undefined) resolve(answer);
    });
  });
  const broken = closed().then((text): never => {
    throw new Error(`The connection closed before there was a whole answer: ${text.slice(0, 200)}`);
  });
  try {
    for (const packet of packets) {
      socket.write(packet);
      // So that the next one does not join it.
      if (packets.length > 1) await sleep(0);
    }
    return await Promise.race([answered, broken]);
  } finally {
    broken.catch(() => undefined);
    socket.destroy();
  }
}

/** @returns undefined where bytes are missing; none of our answers comes in chunks */
function readAnswer(received: string): WireAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...rest] = received.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    rest.map((header) => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  const body = Buffer.from(received.slice(end + 4), 'latin1');
  if (body.byteLength < Number(headers['content-length'] ?? 0)) return undefined;
  return { status: Number(line.split(' ')[1]), headers, body: body.toString('utf8') };
}
