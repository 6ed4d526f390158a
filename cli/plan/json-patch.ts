import { isDeepStrictEqual } from 'node:util';
import type { JsonPatchOperation } from '../../shared/kubernetes/kubernetes-object.ts';

/** A test of the patch does not hold, or a path of it is not there. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

/** Applies a JSON Patch (RFC 6902: add, replace, remove, test) to a copy. @throws PatchError */
export function applyJsonPatch(object: object, operations: readonly JsonPatchOperation[]): object {
  return operations.reduce<object>((patched, operation) => {
    const names = operation.path
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    return Object(changed(patched, names, operation));
  }, object);
}

function changed(part: unknown, [name, ...further]: readonly string[], operation: JsonPatchOperation): unknown {
  if (name === undefined) return atEnd(part, operation);
  if (Array.isArray(part)) return changedList(part, [name, ...further], operation);
  if (typeof part !== 'object' || part === null) throw missing(operation);
  const { [name]: field, ...others }: Record<string, unknown> = { ...part };
  if (further.length > 0) return { ...part, [name]: changed(field, further, operation) };
  if (operation.op !== 'add' && !Object.hasOwn(part, name)) throw missing(operation);
  if (operation.op === 'remove') return others;
  return { ...part, [name]: atEnd(field, operation) };
}

/** `-` is the place after the last item. */
function changedList(
  list: readonly unknown[],
  [name = '', ...further]: readonly string[],
  operation: JsonPatchOperation,
): unknown[] {
  const isAdded = further.length === 0 && operation.op === 'add';
  const index = name === '-' ? list.length : Number(name);
  if (!Number.isInteger(index) || index < 0 || index >= list.length + (isAdded ? 1 : 0)) throw missing(operation);
  if (isAdded) return list.toSpliced(index, 0, operation.value);
  if (further.length === 0 && operation.op === 'remove') return list.toSpliced(index, 1);
  return list.with(index, changed(list[index], further, operation));
}

function atEnd(value: unknown, operation: JsonPatchOperation): unknown {
  if (operation.op === 'remove') throw missing(operation);
  if (operation.op !== 'test') return operation.value;
  if (isDeepStrictEqual(value, operation.value)) return value;
  throw new PatchError(`${operation.path} is not what the patch assumes`);
}

function missing({ path }: JsonPatchOperation): PatchError {
  return new PatchError(`${path} is not there`);
}
