import { redactText } from '../../shared/host/redaction.ts';
import { type FieldChange, objectDiff } from './object-diff.ts';
import type { DryWrite } from './overlay.ts';

/** A field that differs; `hidden` where its values are nobody's business. */
export type ShownChange = FieldChange | { readonly path: string; readonly hidden: true };

/** An object that would be written. */
export interface ObjectChange {
  readonly action: 'create' | 'change' | 'delete';
  readonly api_version: string;
  readonly kind: string;
  /** null for a kind without namespaces. */
  readonly namespace: string | null;
  readonly name: string;
  /** Of a change alone. */
  readonly fields: readonly ShownChange[];
}

/** Variables of a Cluster with the URLs of proxies, which may have a password. */
const secretPaths = /\[(?:apt|systemd)ProxyConfig\]/;

/**
 * How an object would differ; null where nothing would.
 * @param placeholders words in the place of texts that stand for what nobody can know yet
 */
export function objectChange(write: DryWrite, placeholders: ReadonlyMap<string, string>): ObjectChange | null {
  const { type, reference, before, after } = write;
  const object = {
    api_version: type.apiVersion,
    kind: type.kind,
    namespace: type.namespaced ? (reference.namespace ?? null) : null,
    name: reference.name,
  };
  if (before === undefined) return { action: 'create', ...object, fields: [] };
  if (after === undefined) return { action: 'delete', ...object, fields: [] };
  const differs = objectDiff(before, after);
  if (differs.length === 0) return null;
  const fields = differs.map((field): ShownChange => {
    const isHidden = type.confidential === true || secretPaths.test(field.path);
    return isHidden ? { path: field.path, hidden: true } : shown(field, placeholders);
  });
  return { action: 'change', ...object, fields };
}

function shown(field: FieldChange, placeholders: ReadonlyMap<string, string>): FieldChange {
  const { path } = field;
  return {
    path,
    ...('from' in field ? { from: cleaned(field.from, placeholders) } : {}),
    ...('to' in field ? { to: cleaned(field.to, placeholders) } : {}),
  };
}

function cleaned(value: unknown, placeholders: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    return [...placeholders].reduce((text, [id, words]) => text.replaceAll(id, words), redactText(value));
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item, placeholders));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleaned(part, placeholders)]));
}
