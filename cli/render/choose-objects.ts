import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { UsageError } from '../errors.ts';

/**
 * The objects that `--only` names, as `kind` or `kind/name`, in any case.
 * @throws UsageError that lists what there is, for one that names none
 */
export function chooseObjects(
  objects: readonly KubernetesObject[],
  wanted: readonly string[],
): readonly KubernetesObject[] {
  if (wanted.length === 0) return objects;
  for (const name of wanted) {
    if (objects.some((object) => isMeant(object, name))) continue;
    throw new UsageError(`There is no ${name}; there are ${objects.map(nameOf).join(', ')}.`);
  }
  return objects.filter((object) => wanted.some((name) => isMeant(object, name)));
}

function isMeant(object: KubernetesObject, name: string): boolean {
  const full = nameOf(object).toLowerCase();
  const asked = name.toLowerCase();
  return full === asked || full.startsWith(`${asked}/`);
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind}/${metadata?.name}`;
}
