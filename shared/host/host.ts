import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EarlyServer, type EarlyServerOptions, listenEarly } from './early-server.ts';
import { createListener, type FunctionListener, type ListenerOptions } from './listener.ts';

export interface HostOptions extends ListenerOptions, EarlyServerOptions {
  /** Listens already; `port`, `address` and `arrivalTime` are then its own. @default a new one */
  readonly early?: EarlyServer | undefined;
  /**
   * Milliseconds between the end of readiness and that of the port, for load balancers to notice.
   * @default 500
   */
  readonly stopDelay?: number;
  /**
   * Milliseconds that events under way get to finish. With the delay and the grace it stays below the 30 s after which
   * Kubernetes kills a pod by default.
   * @default 20 s
   */
  readonly drainTime?: number;
}

export interface Host {
  readonly port: number;
  /** Refuses new events, waits for those under way, closes all connections. Further calls wait for the same end. */
  close(): Promise<void>;
}

/** Milliseconds for what follows the drain: functions release a Lease, answers leave, clients close. */
const grace = 2000;

/** Serves functions until `close`. @throws when the port cannot be had */
export async function startHost(options: HostOptions): Promise<Host> {
  const { port, address, arrivalTime, stopDelay = 500, drainTime = 20_000, ...rest } = options;
  const { early = listenEarly({ port, address, arrivalTime }), ...listenerOptions } = rest;
  const listener = createListener(listenerOptions);
  await early.listening();
  early.serve(listener.listen);
  const { server } = early;
  let end: Promise<void> | undefined;
  return {
    port: portOf(server),
    close() {
      end ??= stop(server, listener, { stopDelay, drainTime });
      return end;
    },
  };
}

interface StopTimes {
  readonly stopDelay: number;
  readonly drainTime: number;
}

async function stop(server: Server, listener: FunctionListener, { stopDelay, drainTime }: StopTimes): Promise<void> {
  listener.stop();
  await sleep(stopDelay);
  const closed = new Promise((resolve) => server.close(resolve));
  await within(drainTime, listener.idle());
  listener.abort();
  await within(grace, Promise.all([listener.idle(), closed]));
  server.closeAllConnections();
  await closed;
}

async function within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([promise, late]);
  timer.abort();
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
