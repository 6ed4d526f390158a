import { isDeepStrictEqual } from 'node:util';

/** One field that differs. */
export interface FieldChange {
  /** E.g. `spec.topology.variables[imageUUID].value`. */
  readonly path: string;
  /** Absent where there is none. */
  readonly from?: unknown;
  /** Absent where there will be none. */
  readonly to?: unknown;
}

/** What the API server keeps of each object by itself, and what controllers write. */
const ownFields = new Set([
  'apiVersion',
  'kind',
  'status',
  'metadata.managedFields',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.uid',
  'metadata.creationTimestamp',
  'metadata.selfLink',
]);

/**
 * The fields in which two versions of an object differ, each as deep as they still have something in common. Items of a list are
 * told apart by their names where all have one.
 */
export function objectDiff(before: unknown, after: unknown): readonly FieldChange[] {
  return differences('', before, after);
}

function differences(path: string, before: unknown, after: unknown): readonly FieldChange[] {
  if (ownFields.has(path) || isDeepStrictEqual(before, after)) return [];
  const [one, other] = [partsOf(path, before), partsOf(path, after)];
  if (one === null || other === null || isListed(before) !== isListed(after)) return [changed(path, before, after)];
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].flatMap((name) => differences(name, one.get(name), other.get(name)));
}

/** Paths of the parts with their values; null for what is one value. */
function partsOf(path: string, value: unknown): ReadonlyMap<string, unknown> | null {
  if (Array.isArray(value)) {
    const names = value.map(nameOf);
    if (names.some((name) => name === null) || new Set(names).size < names.length) return null;
    return new Map(value.map((item, index) => [`${path}[${names[index]}]`, item]));
  }
  if (typeof value !== 'object' || value === null) return null;
  return new Map(Object.entries(value).map(([name, part]) => [pathOf(path, name), part]));
}

function pathOf(path: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function nameOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('name' in item)) return null;
  return typeof item.name === 'string' && item.name !== '' ? item.name : null;
}

function isListed(value: unknown): boolean {
  return Array.isArray(value);
}

function changed(path: string, from: unknown, to: unknown): FieldChange {
  return { path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
