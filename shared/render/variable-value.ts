import type { Json } from './rendered-object.ts';

/** A value of a variable that the class defines. */
export interface VariableValue {
  readonly name: string;
  readonly value: Json;
}

/** A record as the list of values that a topology holds. */
export function variableValues(values: Readonly<Record<string, Json>>): VariableValue[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
