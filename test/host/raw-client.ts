import { connect, type Socket } from 'node:net';

/** Milliseconds after which a connection that neither side closes is given up. */
const patience = 20_000;

/** A connection on which anything can be written; it keeps what comes back. */
export interface RawConnection {
  readonly socket: Socket;
  /** What has come so far. */
  received(): string;
  /** All that came, once the connection has closed, in whatever way. */
  closed(): Promise<string>;
}

export async function openRaw(port: number): Promise<RawConnection> {
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1');
  const received = () => Buffer.concat(chunks).toString('latin1');
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received())));
  socket.setTimeout(patience, () => socket.destroy()).on('data', (chunk) => chunks.push(chunk));
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  // A reset is an end like any other.
  socket.on('error', () => undefined);
  return { socket, received, closed: () => closed };
}

/** Writes bytes on a connection of its own and waits for its end. */
export async function exchangeRaw(port: number, bytes: string | Buffer): Promise<string> {
  const connection = await openRaw(port);
  connection.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return connection.closed();
}

/** The statuses of all answers in what came back, in order. */
export function statusesOf(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
