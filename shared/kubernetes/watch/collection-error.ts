import { ApiException } from '@kubernetes/client-node';
import type { WatchedResource } from './watched-resource.ts';

/** Where the API server answers so, it may answer otherwise soon: it starts, or is overloaded. */
const passing = new Set([429, 500, 502, 503, 504]);

/** The objects of a kind cannot be listed, told in one sentence. */
export class CollectionError extends Error {
  override readonly name = 'CollectionError';
  /** Whether another attempt may succeed. */
  readonly isPassing: boolean;

  constructor({ apiVersion, kind }: WatchedResource, cause: unknown) {
    const error = root(cause);
    const status = error instanceof ApiException ? error.code : undefined;
    super(`${kind} of ${apiVersion} cannot be watched: ${reason(error, status)}.`, { cause });
    this.isPassing = status !== undefined && passing.has(status);
  }
}

/** client-node and fetch wrap what really happened. */
function root(error: unknown): unknown {
  return error instanceof Error && !(error instanceof ApiException) && error.cause !== undefined
    ? root(error.cause)
    : error;
}

function reason(error: unknown, status: number | undefined): string {
  if (status === 404) return 'the API server does not serve this version (is Cluster API installed?)';
  if (status === 401 || status === 403) return `the kubeconfig's user has no right to (${status})`;
  if (status !== undefined) return `the API server answered ${status}`;
  // A name with several addresses that all refuse gives an error without a message.
  if (error instanceof Error) return error.message || ('code' in error ? String(error.code) : error.name);
  return String(error);
}
