import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

export interface EarlyServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. @default all, of IPv4 and IPv6 */
  readonly address?: string | undefined;
  /**
   * Milliseconds that a request may take to arrive; a third of it for its headers. Events are small and come from inside
   * the cluster or through its ingress.
   * @default 30 s
   */
  readonly arrivalTime?: number | undefined;
}

/** A server that listens before there is anything to answer with; what comes in the meantime waits. */
export interface EarlyServer {
  readonly server: Server;
  /** @throws when the port cannot be had */
  listening(): Promise<void>;
  /** Answers what has come and what will come. */
  serve(listener: RequestListener): void;
}

/** What Knative expects (container runtime contract). */
const defaultPort = 8080;

/**
 * Milliseconds. Go proxies (queue-proxy, activator) keep idle connections for 90 s; theirs must be the side that closes
 * first, or an event meets a connection that is just going.
 */
const keepAliveTimeout = 95_000;

/** An idle connection costs 14 KB: with so many the process stays within the 256 MiB of its pod. Further ones are closed. */
const mostConnections = 12_000;

/** Bytes of a body that wait for its reader; in chunks of one byte each of them costs 200. */
const highWaterMark = 8192;

/** The port of a variable that nobody has checked yet: any free one where it is wrong, for the complaint comes later. */
export function portOrAny(variable: string | undefined): number {
  const port = Number(variable ?? defaultPort);
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : 0;
}

/** Listens at once: loading a function takes longer than starting, and a probe has to find the port first. */
export function listenEarly({ port, address, arrivalTime = 30_000 }: EarlyServerOptions): EarlyServer {
  const { promise: served, resolve: serve } = Promise.withResolvers<RequestListener>();
  const wait: RequestListener = (request, response) => void served.then((listener) => listener(request, response));
  const times = {
    keepAliveTimeout,
    requestTimeout: arrivalTime,
    headersTimeout: arrivalTime / 3,
    connectionsCheckingInterval: arrivalTime / 6,
    highWaterMark,
  };
  const server = createServer(times, wait).on('checkContinue', wait);
  server.maxConnections = mostConnections;
  const listening = once(server.listen(port, address), 'listening').then(() => undefined);
  // Whoever starts the host hears of it; until then it is nobody's.
  listening.catch(() => undefined);
  return { server, listening: () => listening, serve };
}
