import { AsyncLocalStorage } from 'node:async_hooks';
import { type Auth, identityUrl, secretOf } from './auth.ts';
import type { Authentication } from './authentication.ts';
import { type EndpointInterface, endpointUrl, officialType, versionedUrl, versionRoot } from './catalog.ts';
import { AuthenticationError, NotFoundError } from './errors.ts';
import { type ExchangeOptions, exchange, type JsonAnswer, type RequestInfo } from './exchange.ts';
import { type Microversion, type MicroversionRange, offeredRange } from './microversion.ts';
import { type Clock, type RetryOptions, retryDefaults, systemClock } from './retry.ts';
import { type SignedIn, signIn } from './sign-in.ts';
import { createTransport } from './transport.ts';

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
  /** Ends requests that are under way when it aborts, and lets none begin: each throws its reason. @default never */
  readonly signal?: AbortSignal | undefined;
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
  /** Sent as the service's microversion header. */
  readonly microversion?: Microversion | undefined;
}

/** A connection to one cloud as one user. Signs in on first use, and again where a token is refused and the method allows it. */
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
  /** The microversions that a service offers, read once; null where it has none. */
  microversions(service: string): Promise<MicroversionRange | null>;
  /** Sends one call under the session's retry contract. @throws OpenStackError for every answer of 300 and more */
  send(call: Call): Promise<JsonAnswer>;
  /** Closes the session's connections; it may not be used afterwards. */
  close(): void;
}

/** Opens a session in the place of `openSession`; `open` is what that does by itself. */
export type SessionOpener = (options: SessionOptions, open: (options: SessionOptions) => Session) => Session;

const openers = new AsyncLocalStorage<SessionOpener>();

/** Opens no connection yet: the first call does. */
export function openSession(options: SessionOptions): Session {
  const open = (given: SessionOptions) => new CloudSession(given);
  return openers.getStore()?.(options, open) ?? open(options);
}

/** Runs work in which every session is opened by an opener, wherever in it that is: a dry run must not miss one. */
export function withSessionOpener<T>(opener: SessionOpener, work: () => T): T {
  return openers.run(opener, work);
}

class CloudSession implements Session {
  readonly #options: SessionOptions;
  readonly #exchange: ExchangeOptions;
  readonly #ranges = new Map<string, Promise<MicroversionRange | null>>();
  #signedIn: Promise<SignedIn> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#exchange = {
      transport: createTransport(options),
      clock: options.clock ?? systemClock,
      retry: { ...retryDefaults, ...options.retry },
      attemptMs: options.timeLimits?.attemptMs ?? 15_000,
      totalMs: options.timeLimits?.totalMs ?? 60_000,
      onRequest: options.onRequest,
      signal: options.signal,
    };
  }

  async authentication(): Promise<Authentication> {
    return (await this.#signIn()).authentication;
  }

  async endpoint(service: string, options: { readonly interface?: EndpointInterface } = {}): Promise<string> {
    const { catalog } = await this.authentication();
    const offered = options.interface ?? this.#options.interface ?? 'public';
    return endpointUrl(catalog, service, { interface: offered, region: this.#options.region });
  }

  microversions(service: string): Promise<MicroversionRange | null> {
    const type = officialType(service);
    const known = this.#ranges.get(type) ?? this.#readMicroversions(type);
    this.#ranges.set(type, known);
    known.catch(() => this.#ranges.delete(type));
    return known;
  }

  async send(call: Call): Promise<JsonAnswer> {
    const url = `${await this.#baseUrl(call.service)}${call.path}${queryString(call.query)}`;
    return this.#sendTo(url, call);
  }

  close(): void {
    this.#exchange.transport.close();
  }

  #signIn(): Promise<SignedIn> {
    if (this.#signedIn === undefined) {
      const pending = signIn(this.#options.auth, this.#exchange);
      this.#signedIn = pending;
      pending.catch(() => this.#forget(pending));
    }
    return this.#signedIn;
  }

  #forget(refused: Promise<SignedIn>): void {
    if (this.#signedIn === refused) this.#signedIn = undefined;
  }

  /** Identity is asked where the session signs in: that address is known to be reachable, the catalogue's may not be. */
  async #baseUrl(service: string): Promise<string> {
    if (officialType(service) === 'identity') return identityUrl(this.#options.auth.authUrl);
    return versionedUrl(await this.endpoint(service), service);
  }

  async #readMicroversions(service: string): Promise<MicroversionRange | null> {
    const root = versionRoot(await this.#baseUrl(service));
    const { body } = await this.#sendTo(root.url, { service, method: 'GET', path: '' });
    return offeredRange(body, root.id);
  }

  async #sendTo(url: string, call: Call): Promise<JsonAnswer> {
    const pending = this.#signIn();
    const signedIn = await pending;
    try {
      return await this.#sendWith(signedIn, url, call);
    } catch (error) {
      if (!isRefusal(error, this.#options.auth) || this.#options.auth.kind === 'token') throw error;
    }
    this.#forget(pending);
    return this.#sendWith(await this.#signIn(), url, call);
  }

  #sendWith({ token }: SignedIn, url: string, call: Call): Promise<JsonAnswer> {
    const service = officialType(call.service);
    const headers: Record<string, string> = { accept: 'application/json', 'x-auth-token': token };
    if (call.microversion !== undefined) Object.assign(headers, microversionHeaders(service, call.microversion));
    if (call.body !== undefined) headers['content-type'] = 'application/json';
    const { method, body } = call;
    const secrets = [token, secretOf(this.#options.auth)];
    return exchange({ service, method, url, headers, body, secrets }, this.#exchange);
  }
}

/** Keystone answers 404, not 401, to a token whose application credential is gone. */
function isRefusal(error: unknown, auth: Auth): boolean {
  if (error instanceof AuthenticationError) return true;
  if (auth.kind !== 'application_credential' || !(error instanceof NotFoundError)) return false;
  return error.service === 'identity' && error.message.includes(auth.id);
}

function queryString(query: Readonly<Record<string, string>> | undefined): string {
  return query === undefined ? '' : `?${new URLSearchParams(query)}`;
}

/** The header of the API working group, and the one that Nova had before 2.27 and Manila still has. */
function microversionHeaders(service: string, version: Microversion): Record<string, string> {
  const legacy = { compute: 'x-openstack-nova-api-version', 'shared-file-system': 'x-openstack-manila-api-version' };
  const name = service === 'compute' || service === 'shared-file-system' ? legacy[service] : undefined;
  return { 'openstack-api-version': `${service} ${version}`, ...(name === undefined ? {} : { [name]: version }) };
}
