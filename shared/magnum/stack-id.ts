import { createHash } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const suffixLength = 5;

/** Names that the driver and magnum-cluster-api give to Cluster objects. */
export const stackIdPattern = /^kube-[a-z0-9]{5}$/;

/** Cluster API and the driver name everything of a Cluster after it. */
const stackIdPrefix = /^kube-[a-z0-9]{5}(?=-|$)/;

/** Stack id of the cluster that an object in the driver's namespace belongs to, by the object's name; null where it tells none. */
export function stackIdOfObject(name: string): string | null {
  return stackIdPrefix.exec(name)?.[0] ?? null;
}

/**
 * Name of the Cluster object for a Magnum cluster: `kube-` and 5 characters of [a-z0-9], derived from the UUID so that a
 * repeated create finds its own objects. `attempt` gives the next name when another cluster has taken this one.
 */
export function stackId(uuid: string, attempt: number): string {
  const digest = createHash('sha256').update(`${uuid}/${attempt}`).digest();
  const suffix = [...digest.subarray(0, suffixLength)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return `kube-${suffix}`;
}
