import { createHash } from 'node:crypto';
import { isDnsLabel } from '../../../magnum/syntax/kubernetes-syntax.ts';
import { maximumLabelLength } from '../../metadata.ts';

/** What Cinder gives to volumes that came without a type. */
export const migrationType = '__DEFAULT__';

const hashLength = 8;

/**
 * Names of the StorageClasses of volume or share types, by type: `<prefix>-<slug>` as in magnum-cluster-api, so that claims
 * which name one go on. A type whose name makes none that is valid, or one that another type has, carries a hash of its own
 * name behind a dot, which no slug contains. The order of the types does not matter, and another type changes a name only
 * where it takes precedence for it: the type that is its own slug, else the one that sorts first.
 */
export function classNames(prefix: string, types: readonly string[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const type of types) {
    const name = plainName(prefix, type);
    const owner = owners.get(name);
    if (owner === undefined || goesBefore(type, owner)) owners.set(name, type);
  }
  return new Map(types.map((type) => [type, className(prefix, type, owners)]));
}

function className(prefix: string, type: string, owners: ReadonlyMap<string, string>): string {
  const name = plainName(prefix, type);
  return isDnsLabel(name) && owners.get(name) === type ? name : hashedName(prefix, type);
}

function goesBefore(type: string, other: string): boolean {
  if (other === slug(other)) return false;
  return type === slug(type) || type < other;
}

function plainName(prefix: string, type: string): string {
  return `${prefix}-${type === migrationType ? 'default' : slug(type)}`;
}

function slug(type: string): string {
  return type.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
}

function hashedName(prefix: string, type: string): string {
  const hash = createHash('sha256').update(type).digest('hex').slice(0, hashLength);
  const readable = `${prefix}-${slug(type).replace(/^-/, '')}`.slice(0, maximumLabelLength - hashLength - 1);
  return `${readable.replace(/-$/, '')}.${hash}`;
}
