import { type KeptLetter, letterSelector, readLetter } from '../../shared/dead-letters/dead-letter.ts';
import { isConflict, isNotFound } from '../../shared/kubernetes/errors.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import type { ManagementCluster } from '../management-cluster.ts';

const prefix = 'dead-letter-';

/** All dead letters, the newest last. @throws KubernetesError */
export async function keptLetters(
  { client, namespace }: ManagementCluster,
  signal: AbortSignal,
): Promise<readonly KeptLetter[]> {
  const objects = await client.list(resources.configMap, { namespace, labelSelector: letterSelector, signal });
  return objects.map(readLetter).toSorted((one, other) => one.received.getTime() - other.received.getTime());
}

/** What of the letters is asked for. @throws Error that names those which are not there */
export function chooseLetters(letters: readonly KeptLetter[], names: readonly string[]): readonly KeptLetter[] {
  const wanted = new Set(names.map((name) => (name.startsWith(prefix) ? name : `${prefix}${name}`)));
  const missing = [...wanted].filter((name) => !letters.some((letter) => letter.name === name));
  if (missing.length > 0) throw new Error(`There is no dead letter ${missing.join(', ')}.`);
  return letters.filter(({ name }) => wanted.has(name));
}

/**
 * Deletes a letter as it was read.
 * @returns false where the same event has died again meanwhile, and stays
 * @throws KubernetesError
 */
export async function removeLetter(
  { client, namespace }: ManagementCluster,
  { name, uid, resourceVersion }: KeptLetter,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await client.delete(resources.configMap, { namespace, name }, { uid, resourceVersion, signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (isConflict(error)) return false;
    throw error;
  }
}
