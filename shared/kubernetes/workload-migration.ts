import { hasImmutableFields, needsRecreation } from '../render/addons/immutable-fields.ts';
import type { ManifestIdentity } from '../render/addons/manifest-identity.ts';
import { sentence } from '../status/reason/sentence.ts';
import type { KubernetesClient } from './client.ts';
import { isConflict, KubernetesError } from './errors.ts';
import { manifestReference, manifestType } from './manifest-type.ts';
import { workloadConnection } from './workload-connection.ts';

/** Limit of one call with all its attempts, in ms: whoever asked for the operation waits for it. */
const callMs = 4_000;
/** Limit of all of it, in ms: Magnum gives an upgrade a minute. */
const totalMs = 20_000;

/** An object that Cluster API is about to apply. */
export interface WantedObject {
  readonly identity: ManifestIdentity;
  readonly manifest: object & { readonly kind: string };
}

export interface Migration {
  readonly stackId: string;
  readonly wanted: readonly WantedObject[];
  /** What earlier manifests brought and nothing brings any more. */
  readonly dropped: readonly ManifestIdentity[];
  /** Runs before each write. @throws DriverError */
  readonly proceed: () => void;
  readonly signal: AbortSignal;
}

/**
 * Makes room in the workload cluster for what Cluster API will apply: deletes objects whose immutable fields stand in its way, and
 * those that no manifest brings any more. Volumes, custom resources and cloud.conf are not among them.
 * @returns why it could not, as a sentence; null where all is done. The cluster's API may be out of a function's reach,
 *   and most upgrades need none of this.
 */
export async function makeRoom(client: KubernetesClient, migration: Migration): Promise<string | null> {
  const wanted = migration.wanted.filter(({ manifest }) => hasImmutableFields(manifest));
  if (wanted.length === 0 && migration.dropped.length === 0) return null;
  const { stackId, signal, proceed } = migration;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
  let workload: KubernetesClient | undefined;
  try {
    workload = client.connectTo(await workloadConnection(client, stackId, { signal: limited }), {
      deadlineMs: callMs,
    });
    const room = { workload, signal: limited, proceed };
    await Promise.all(wanted.map((object) => recreate(room, object)));
    for (const identity of migration.dropped) await remove(room, identity);
    return null;
  } catch (error) {
    signal.throwIfAborted();
    proceed();
    const why = error instanceof Error ? error.message : '';
    return sentence('Add-ons of the former release may stay in the cluster', why);
  } finally {
    workload?.close();
  }
}

interface Room {
  readonly workload: KubernetesClient;
  readonly signal: AbortSignal;
  readonly proceed: () => void;
}

/** Once it is gone, Cluster API makes it anew. */
async function recreate(room: Room, { identity, manifest }: WantedObject): Promise<void> {
  const live = await room.workload.find(manifestType(identity), manifestReference(identity), { signal: room.signal });
  if (live !== undefined && needsRecreation(live, manifest)) await remove(room, identity, live.metadata?.uid);
}

async function remove({ workload, signal, proceed }: Room, identity: ManifestIdentity, uid?: string): Promise<void> {
  proceed();
  try {
    await workload.delete(manifestType(identity), manifestReference(identity), {
      uid,
      propagationPolicy: 'Background',
      signal,
    });
  } catch (error) {
    if (!isConflict(error) && !isGone(error)) throw error;
  }
}

/** A kind that is served no longer counts too. */
function isGone(error: unknown): boolean {
  return error instanceof KubernetesError && error.apiStatus === 404;
}
