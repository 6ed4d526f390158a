import type { KubeConfig } from '@kubernetes/client-node';
import type { Logger } from '../../host/logger.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Collection, ReadCollection } from './collection.ts';
import { CollectionError } from './collection-error.ts';
import { watchCollection } from './watch-collection.ts';
import type { Change, ObjectReference, WatchedResource } from './watched-resource.ts';

export interface ObjectWatchOptions {
  readonly config: KubeConfig;
  readonly resource: WatchedResource;
  readonly readCollection: ReadCollection;
  /** Told one change after the other: the next waits until this one is done. */
  readonly onChange: (change: Change, object: ObjectReference) => Promise<void>;
  /** Told when watching goes on after changes may have been missed. */
  readonly onGap?: (() => void) | undefined;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly clock?: Clock | undefined;
}

/** Milliseconds before a watch or a list that failed is tried again, doubled each time. */
const firstPause = 500;
const longestPause = 30_000;
/** Milliseconds after which the end of a watch without any news is no sign of trouble (client-go takes the same). */
const shortWatch = 1000;
/** Lists at the start, for an API server that has just got the kind or is still starting. */
const firstLists = 20;

/**
 * Tells every change of a kind's objects from now on, until the signal aborts. As in Knative's source, objects that are
 * there already are no change, and what happens while a lost watch is replaced is never told.
 * @returns once it is certain that nothing from now on is missed; false for a kind that is not served
 * @throws CollectionError
 */
export async function startObjectWatch(options: ObjectWatchOptions): Promise<boolean> {
  const collection = await listFirst(options);
  if (collection === undefined) return false;
  void watchForever(options, collection);
  return true;
}

async function listFirst({ readCollection, resource, signal, clock = systemClock }: ObjectWatchOptions) {
  for (let list = 1; ; list += 1) {
    try {
      return await readCollection(resource);
    } catch (error) {
      if (!(error instanceof CollectionError && error.isPassing) || list === firstLists || signal.aborted) throw error;
      await clock.sleep(firstPause, signal);
    }
  }
}

async function watchForever(options: ObjectWatchOptions, first: Collection): Promise<void> {
  const { signal, clock = systemClock } = options;
  const onChange = inOrder(options);
  let collection: Collection | undefined = first;
  let pause = firstPause;
  while (!signal.aborted) {
    const startedAt = clock.monotonic();
    const next: Collection | undefined =
      collection === undefined ? await listAgain(options) : await watchOnce(options, collection, onChange);
    const isFine = next !== undefined && (next !== collection || clock.monotonic() - startedAt > shortWatch);
    collection = next;
    if (!isFine) await clock.sleep(pause, signal);
    pause = isFine ? firstPause : Math.min(pause * 2, longestPause);
  }
}

/** @returns where the next watch goes on; undefined where it cannot, because what happened since is lost */
async function watchOnce(
  { config, resource, logger, signal }: ObjectWatchOptions,
  collection: Collection,
  onChange: (change: Change, object: ObjectReference) => void,
): Promise<Collection | undefined> {
  let next = collection;
  const onVersion = (resourceVersion: string) => {
    next = { ...collection, resourceVersion };
  };
  const end = await watchCollection(config, collection, { onVersion, onChange, signal });
  if (end.kind === 'closed') return next;
  logger.warn({ kind: resource.kind, reason: end.reason }, 'a watch is lost: changes may have been missed');
  return undefined;
}

/** @returns undefined where the API server is still away */
async function listAgain(options: ObjectWatchOptions): Promise<Collection | undefined> {
  const { readCollection, resource, onGap, logger } = options;
  try {
    const collection = await readCollection(resource);
    if (collection !== undefined) onGap?.();
    return collection;
  } catch (error) {
    logger.warn({ kind: resource.kind, err: error }, 'a watch cannot begin again yet');
    return undefined;
  }
}

/** Changes come faster than a sink takes them; those of one kind stay in their order. */
function inOrder({ onChange, signal }: ObjectWatchOptions): (change: Change, object: ObjectReference) => void {
  let last = Promise.resolve();
  return (change, object) => {
    last = last.then(() => (signal.aborted ? undefined : onChange(change, object)));
  };
}
