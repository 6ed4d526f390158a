import type { Schema, Variable } from './feature.ts';

/** A variable that a Cluster may leave out: its schema has a default, which means "not used". */
export function optional(
  name: string,
  schema: Schema & { readonly default: NonNullable<Schema['default']> },
): Variable {
  return { name, required: false, schema: { openAPIV3Schema: schema } };
}

/** A variable without which no machine can be made. */
export function required(name: string, schema: Schema): Variable {
  return { name, required: true, schema: { openAPIV3Schema: schema } };
}

/** Text whose default `''` means that it is not set. @param maxLength characters; @default no limit */
export function optionalText(name: string, description: string, maxLength?: number): Variable {
  return optional(name, {
    type: 'string',
    description,
    default: '',
    ...(maxLength === undefined ? {} : { maxLength }),
  });
}

/** Text that must not be empty. @param maxLength characters; @default no limit */
export function requiredText(name: string, description: string, maxLength?: number): Variable {
  return required(name, {
    type: 'string',
    description,
    minLength: 1,
    ...(maxLength === undefined ? {} : { maxLength }),
  });
}

/** A switch that is off by default. */
export function optionalSwitch(name: string, description: string): Variable {
  return optional(name, { type: 'boolean', description, default: false });
}
