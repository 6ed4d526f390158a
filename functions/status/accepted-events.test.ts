import { expect, test } from 'vitest';
import { type EventTypeName, eventTypes } from '../../shared/contract/event-types.ts';
import { acceptedEvents } from './accepted-events.ts';

test('the function accepts exactly the events that the contract gives it, by the same schemas', () => {
  const promised = Object.keys(eventTypes).filter((type) => {
    const takers: readonly string[] = eventTypes[type as EventTypeName].functions;
    return takers.includes('status');
  });
  expect(Object.keys(acceptedEvents).toSorted()).toEqual(promised.toSorted());
  for (const [type, schema] of Object.entries(acceptedEvents)) {
    expect(schema).toBe(eventTypes[type as EventTypeName].schema);
  }
});
