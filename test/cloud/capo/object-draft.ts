import { ApiError } from '../../env/kubernetes-api.ts';
import type { CapoContext } from './capo-context.ts';
import type { Condition } from './condition.ts';
import { pathOf, type WatchedObject } from './infrastructure-objects.ts';
import { mergePatch } from './merge-patch.ts';
import type { ObjectStore } from './object-store.ts';

/** Written by its own name into managedFields, as CAPO's binary is. */
export const fieldManager = 'manager';

interface Conditioned extends WatchedObject {
  readonly status?: { readonly conditions?: readonly Condition[] | undefined } | undefined;
}

/**
 * Writes what a draft changed: the conditions first, then labels, finalizers and spec, then the rest of the status, each
 * by itself and only where it differs, as Cluster API's patch helper does (util/patch/patch.go).
 */
export async function saveDraft<T extends WatchedObject & Conditioned>(
  { api, signal }: CapoContext,
  store: ObjectStore<T>,
  { before, draft }: { readonly before: T; readonly draft: T },
): Promise<void> {
  // What fails because the controller stops says nothing of the cloud.
  if (signal.aborted) return;
  const path = pathOf(store.kind.type, before.metadata.namespace, before.metadata.name);
  const write = async (part: '' | '/status', change: unknown) => {
    if (change === undefined) return;
    store.put(await api.call('PATCH', `${path}${part}?fieldManager=${fieldManager}`, change));
  };
  const { conditions: oldConditions, ...oldStatus } = before.status ?? {};
  const { conditions, ...status } = draft.status ?? {};
  const changedConditions = mergePatch({ conditions: oldConditions }, { conditions });
  await write('/status', changedConditions === undefined ? undefined : { status: changedConditions });
  await write('', mergePatch(withoutStatus(before), withoutStatus(draft)));
  const changedStatus = mergePatch(oldStatus, status);
  try {
    await write('/status', changedStatus === undefined ? undefined : { status: changedStatus });
  } catch (error) {
    // The finalizer was the last one, and the object is gone.
    if (draft.metadata.deletionTimestamp === undefined || !isMissing(error)) throw error;
  }
}

function withoutStatus(object: WatchedObject): Record<string, unknown> {
  const { status: _, ...rest } = object;
  return rest;
}

/** Whether the API server does not have the object (any more). */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Whether the finalizer was missing and is set now. */
export function addFinalizer({ metadata }: WatchedObject, finalizer: string): boolean {
  const { finalizers = [] } = metadata;
  if (finalizers.includes(finalizer)) return false;
  metadata.finalizers = [...finalizers, finalizer];
  return true;
}

/** Whether it was deleted and nothing more is to be done for it: the API server is just removing it. */
export function isReleased({ metadata }: WatchedObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizer) !== true;
}

export function removeFinalizer({ metadata }: WatchedObject, finalizer: string): void {
  metadata.finalizers = metadata.finalizers?.filter((other) => other !== finalizer);
}
