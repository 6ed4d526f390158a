import { getServer, type Session } from 'openstack-client-ts';
import type { FaultyServer } from '../status/needs.ts';
import { type CloudConfigSecret, openClusterSession } from './cluster-session.ts';

/** A report does not wait longer for a detail, in ms. */
const defaultTimeLimitMs = 3_000;
/** A cloud that did not answer is asked again after this time, in ms: a cluster may be computed every second. */
const retryMs = 30_000;
/** Servers that are remembered; a fault is some hundred characters. */
const capacity = 1_000;

/** Nova's words about servers in ERROR, by the name of the OpenStackServer; what cannot be read is missing. */
export type ServerFaults = Readonly<Record<string, string>>;

export interface ServerFaultsOptions {
  /** Reads the cluster's cloud-config Secret, only where the cloud is asked; null = there is none. */
  readonly secret: () => Promise<CloudConfigSecret | null>;
  readonly servers: readonly FaultyServer[];
  readonly now: Date;
  readonly onRequest?: (() => void) | undefined;
}

export interface ServerFaultReader {
  /** Never rejects: without the cloud's answer, the text is missing. */
  read(options: ServerFaultsOptions): Promise<ServerFaults>;
}

export interface ServerFaultReaderOptions {
  /** For the answer about all servers of one cluster. @default 3_000 */
  readonly timeLimitMs?: number | undefined;
}

interface Remembered {
  readonly message: string | null;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Reads Nova's faults with the cluster's own credential, each once: the fault of a server does not change. */
export function createServerFaultReader(options: ServerFaultReaderOptions = {}): ServerFaultReader {
  const timeLimitMs = options.timeLimitMs ?? defaultTimeLimitMs;
  const remembered = new Map<string, Remembered>();
  return {
    async read({ secret, servers, now, onRequest }) {
      const time = now.getTime();
      const unknown = servers.filter(({ id }) => (remembered.get(id)?.until ?? 0) <= time);
      const found = unknown.length === 0 ? new Map() : await ask({ secret, servers: unknown, onRequest, timeLimitMs });
      for (const { id } of unknown) {
        const message = found.get(id) ?? null;
        remember(remembered, id, { message, until: message === null ? time + retryMs : Number.POSITIVE_INFINITY });
      }
      return Object.fromEntries(
        servers.flatMap(({ name, id }) => {
          const message = remembered.get(id)?.message ?? null;
          return message === null ? [] : [[name, message]];
        }),
      );
    },
  };
}

function remember(known: Map<string, Remembered>, id: string, fault: Remembered): void {
  known.delete(id);
  known.set(id, fault);
  const [oldest] = known.keys();
  if (known.size > capacity && oldest !== undefined) known.delete(oldest);
}

interface Question extends Omit<ServerFaultsOptions, 'now'> {
  readonly timeLimitMs: number;
}

/** Messages by the server's id. */
async function ask({ secret, servers, onRequest, timeLimitMs }: Question): Promise<ReadonlyMap<string, string>> {
  const messages = new Map<string, string>();
  let session: Session | undefined;
  try {
    const cloudConfig = await secret();
    if (cloudConfig === null) return messages;
    const opened = openClusterSession(cloudConfig, onRequest, { attemptMs: timeLimitMs, totalMs: timeLimitMs });
    session = opened;
    const readOne = async ({ id }: FaultyServer) => {
      const { fault } = await getServer(opened, id);
      if (fault !== null && fault.message !== '') messages.set(id, fault.message);
    };
    await within(timeLimitMs, Promise.allSettled(servers.map(readOne)));
  } catch {
    // No usable credential; the report then only says that the server is in ERROR.
  } finally {
    session?.close();
  }
  return messages;
}

async function within(timeLimitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, timeLimitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
