import { expect, test } from 'vitest';
import type * as z from 'zod';
import { type EventTypeName, eventTypes, type FunctionName } from '../event-types.ts';

/** Compares the events that a function accepts, which it lists itself, with the contract. */
export function testAcceptedEvents(name: FunctionName, acceptedEvents: Readonly<Record<string, z.ZodType>>): void {
  test('the function accepts exactly the events that the contract gives it, by the same schemas', () => {
    const promised = Object.keys(eventTypes).filter((type) => {
      const takers: readonly string[] = eventTypes[type as EventTypeName].functions;
      return takers.includes(name);
    });
    expect(Object.keys(acceptedEvents).toSorted()).toEqual(promised.toSorted());
    for (const [type, schema] of Object.entries(acceptedEvents)) {
      expect(schema).toBe(eventTypes[type as EventTypeName].schema);
    }
  });
}
