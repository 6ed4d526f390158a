import type { IncomingHttpHeaders } from 'node:http';
import type { CloudState, Token } from './state.ts';

/** A real Keystone, to which every request below `/identity` goes. */
export interface RealKeystone {
  /** The token while Keystone says that it is valid. @throws ApiError 503 where Keystone gives no answer */
  validToken(value: string): Promise<Token | null>;
  /** Passes a request on as it is, by its path below `/identity`. */
  forward(request: RawRequest): Promise<Reply>;
}

/** What every simulated service works on. */
export interface Cloud {
  readonly state: CloudState;
  /** URL of the listener, without a final slash. */
  readonly url: string;
  /** Largest page of a list. */
  readonly pageLimit: number;
  /** Newest microversion of the simulated Nova. */
  readonly computeMicroversion: string;
  readonly tokenLifetimeMs: number;
  readonly now: () => number;
  /** null = the simulated Keystone. */
  readonly keystone: RealKeystone | null;
}

export interface ApiRequest {
  readonly method: string;
  /** Path below the service's version, still encoded, as `/flavors/detail`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body; undefined where there was none. */
  readonly body: unknown;
  /** null only on the paths that need none. */
  readonly token: Token | null;
}

/** A request as it came in: no token checked, the body not parsed. */
export interface RawRequest extends Omit<ApiRequest, 'token' | 'body'> {
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal in the words of the real service; each service has its own envelope for it. */
export class ApiError extends Error {
  readonly status: number;
  /** Neutron names the kind of its errors. */
  readonly type: string;
  constructor(status: number, message: string, type = 'HTTPError') {
    super(message);
    this.status = status;
    this.type = type;
  }
}

/** The token of a request whose path needs one. */
export function tokenOf(request: ApiRequest): Token {
  if (request.token !== null) return request.token;
  throw new ApiError(401, 'The request you have made requires authentication.');
}

export function isAdmin(token: Token): boolean {
  return token.roles.includes('admin');
}
