import type { Schema } from './schema.ts';

/** A rule in CEL that the API server checks; one without a reason is about a value that is invalid. */
interface Check {
  readonly rule: string;
  readonly message: string;
  readonly reason?: 'FieldValueForbidden';
}

export function invalid(rule: string, message: string): Check {
  return { rule, message };
}

export function forbidden(rule: string, message: string): Check {
  return { rule, message, reason: 'FieldValueForbidden' };
}

export function checked(schema: Schema, ...checks: readonly Check[]): Schema {
  return { ...schema, 'x-kubernetes-validations': checks };
}

/** Condition in CEL that a text or list is there and not empty. */
export function given(field: string): string {
  return `(has(self.${field}) && size(self.${field}) > 0)`;
}
