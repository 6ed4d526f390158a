/** A node of a structural schema, as a CustomResourceDefinition has it. */
export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const integer: Schema = { type: 'integer' };
export const integerOrText: Schema = { 'x-kubernetes-int-or-string': true };

/** Text of at most so many characters, which limits what a rule about it may cost. */
export function shortText(maxLength: number): Schema {
  return { ...text, maxLength };
}

export function oneOf(...values: readonly string[]): Schema {
  return { ...text, enum: values };
}

export function defaultText(value: string): Schema {
  return { ...text, default: value };
}

/** An object of which only some properties have a schema; all others pass. */
export function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** An object of which nothing is said. */
export const anything = object({});

/** @param bounds such as `maxItems` */
export function list(items: Schema, bounds: Schema = {}): Schema {
  return { type: 'array', items, ...bounds };
}

/** A list in which no value stands twice. */
export function set(items: Schema, maxItems: number): Schema {
  return list(items, { maxItems, 'x-kubernetes-list-type': 'set' });
}
