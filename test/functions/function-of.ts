import { type EventTypeName, eventTypes, type FunctionName } from '../../shared/contract/event-types.ts';

/** The function that a request goes to, by the contract. @throws Error for an event that is no request */
export function functionOf(event: { readonly type: string }): FunctionName {
  const [name] = eventTypes[event.type as EventTypeName]?.functions ?? [];
  if (name === undefined) throw new Error(`No function takes ${event.type}.`);
  return name;
}
