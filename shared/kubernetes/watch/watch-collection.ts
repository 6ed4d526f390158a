import { type KubeConfig, Watch } from '@kubernetes/client-node';
import * as z from 'zod';
import type { Collection } from './collection.ts';
import type { Change, ObjectReference } from './watched-resource.ts';

/**
 * Seconds after which the API server ends a watch, and says its version before: client-node takes a watch for dead that is
 * silent for 30 s.
 */
const watchSeconds = 25;

/** How a watch ended: it may go on where it was, or what has happened since is lost. */
export type WatchEnd = { readonly kind: 'closed' } | { readonly kind: 'lost'; readonly reason: string };

export interface WatchHandlers {
  /** The version of the collection has moved on. */
  readonly onVersion: (resourceVersion: string) => void;
  readonly onChange: (change: Change, object: ObjectReference) => void;
  readonly signal: AbortSignal;
}

const watchedObject = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string(), namespace: z.string().default(''), resourceVersion: z.string() }),
});
const bookmark = z.object({ metadata: z.object({ resourceVersion: z.string() }) });
const watchError = z.object({ code: z.int().optional(), message: z.string().optional() });

/** Watches until the watch ends, for whatever reason; never rejects. */
export function watchCollection(
  config: KubeConfig,
  { path, labelSelector, resourceVersion }: Collection,
  handlers: WatchHandlers,
): Promise<WatchEnd> {
  const { signal } = handlers;
  const { promise, resolve } = Promise.withResolvers<WatchEnd>();
  let request: AbortController | undefined;
  const end = (how: WatchEnd) => {
    signal.removeEventListener('abort', abort);
    resolve(how);
  };
  const abort = () => {
    request?.abort();
    end({ kind: 'closed' });
  };
  signal.addEventListener('abort', abort);
  const query = { resourceVersion, labelSelector, allowWatchBookmarks: true, timeoutSeconds: watchSeconds };
  const take = (phase: string, object: unknown) => {
    if (phase === 'ERROR') end(lost(watchError.parse(object)));
    else if (!signal.aborted) tell(handlers, phase, object);
  };
  new Watch(config)
    .watch(path, query, take, (error: unknown) => end(endOf(error)))
    .then(
      (started) => {
        request = started;
        if (signal.aborted) abort();
      },
      (error: unknown) => end(endOf(error)),
    );
  return promise;
}

function tell({ onVersion, onChange }: WatchHandlers, phase: string, object: unknown): void {
  if (phase === 'BOOKMARK') {
    onVersion(bookmark.parse(object).metadata.resourceVersion);
    return;
  }
  const { metadata, ...type } = watchedObject.parse(object);
  onVersion(metadata.resourceVersion);
  if (isChange(phase)) onChange(phase, { ...type, name: metadata.name, namespace: metadata.namespace });
}

function isChange(phase: string): phase is Change {
  return phase === 'ADDED' || phase === 'MODIFIED' || phase === 'DELETED';
}

function lost({ code, message = 'no reason given' }: z.infer<typeof watchError>): WatchEnd {
  return { kind: 'lost', reason: `${code ?? ''} ${message}`.trim() };
}

/** A connection that broke can be taken up again; a status says that the API server does not want to. */
function endOf(error: unknown): WatchEnd {
  if (!(error instanceof Error) || !('statusCode' in error)) return { kind: 'closed' };
  const { statusCode } = error;
  return statusCode === 429 ? { kind: 'closed' } : { kind: 'lost', reason: `${statusCode} ${error.message}` };
}
