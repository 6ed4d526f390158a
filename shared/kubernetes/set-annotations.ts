import { escapePointer } from './json-pointer.ts';
import type { JsonPatchOperation } from './kubernetes-object.ts';

/**
 * Patch operations that set annotations of an object.
 * @param present its annotations; undefined where it has none, and then a key alone could not be added
 */
export function setAnnotations(
  present: Readonly<Record<string, string>> | undefined,
  values: Readonly<Record<string, string>>,
): JsonPatchOperation[] {
  if (present === undefined) return [{ op: 'add', path: '/metadata/annotations', value: values }];
  return Object.entries(values).map(([key, value]) => ({ op: 'add', path: annotationPath(key), value }));
}

/** The path of one annotation. */
export function annotationPath(key: string): string {
  return `/metadata/annotations/${escapePointer(key)}`;
}
