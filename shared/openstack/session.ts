import type { Auth } from './auth.ts';
import type { Authentication } from './authentication.ts';
import type { EndpointInterface } from './catalog.ts';
import type { Microversion } from './microversion.ts';
import type { Clock, RetryOptions } from './retry.ts';

/** One HTTP exchange, as told to `SessionOptions.onRequest`. */
export interface RequestInfo {
  /** Service type, as `compute`. */
  readonly service: string;
  readonly method: string;
  /** Path without query: it may hold ids, never secrets. */
  readonly path: string;
  /** HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  readonly durationMs: number;
}

export interface TimeLimits {
  /** Longest time for one attempt, from connecting to the last byte, in ms. @default 15_000 */
  readonly attemptMs?: number;
  /** Longest time for one call with all its retries and waits, in ms. @default 60_000 */
  readonly totalMs?: number;
}

export interface SessionOptions {
  readonly auth: Auth;
  /** Region of the endpoints; unset = the first endpoint of each service. */
  readonly region?: string | undefined;
  /** Interface of the endpoints, also in the spelling `publicURL`. @default 'public' */
  readonly interface?: string | undefined;
  /** PEM bundle that replaces the system's certificate authorities. */
  readonly caCertificate?: string | undefined;
  /** Accept any certificate. @default false */
  readonly insecure?: boolean | undefined;
  readonly timeLimits?: TimeLimits | undefined;
  readonly retry?: RetryOptions | undefined;
  /** Called after each HTTP exchange, retries included. */
  readonly onRequest?: ((info: RequestInfo) => void) | undefined;
  /** @default the system's clock and timers */
  readonly clock?: Clock | undefined;
}

/** A call of one service, relative to its endpoint. */
export interface Call {
  /** Service type or an alias of it. */
  readonly service: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below the versioned endpoint, with every segment already encoded, as `/flavors/detail`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly microversion?: Microversion | undefined;
}

export interface Answer {
  readonly status: number;
  /** The parsed JSON body; undefined where it was empty. */
  readonly body: unknown;
}

/** A connection to one cloud as one user. Signs in on first use, and again when a token is refused and the method allows it. */
export interface Session {
  /**
   * Who the session acts as, what it may do and which services the cloud has.
   * @throws AuthenticationError where Keystone refuses the credential.
   */
  authentication(): Promise<Authentication>;
  /**
   * Base URL of a service as the catalogue has it.
   * @throws ServiceMissingError
   */
  endpoint(service: string, options?: { readonly interface?: EndpointInterface }): Promise<string>;
  /** Sends one call under the session's retry contract; answers of 400 and more are thrown as OpenStackErrors. */
  send(call: Call): Promise<Answer>;
  /** The microversions that the service offers, read once. */
  microversions(service: string): Promise<{ readonly min: Microversion; readonly max: Microversion } | null>;
  /** Closes the session's connections; it may not be used afterwards. */
  close(): void;
}

/** Opens no connection yet: the first call does. */
export declare function openSession(options: SessionOptions): Session;
