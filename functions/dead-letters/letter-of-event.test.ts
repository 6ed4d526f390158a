import { expect, test } from 'vitest';
import { letterConfigMap, letterName, readLetter } from '../../shared/dead-letters/dead-letter.ts';
import { letterOfEvent } from './letter-of-event.ts';

const received = new Date('2026-11-30T06:00:00Z');

function event(
  changes: {
    readonly data?: unknown;
    readonly extensions?: Readonly<Record<string, string>>;
    readonly source?: string;
  } = {},
) {
  const attributes = { id: '1', source: '/functions/status', subject: 'c', time: '2026-11-30T05:59:00Z' };
  const type = 'org.openstack.magnum.cluster.status.v1';
  return {
    ...attributes,
    type,
    extensions: { partitionkey: 'c', knativebrokerttl: '254' },
    data: { a: 1 },
    ...changes,
  };
}

test('a letter is read from its ConfigMap as it was written', () => {
  const letter = letterOfEvent(event(), received);
  expect(letter.isWhole).toBe(true);
  const version = { uid: 'u', resourceVersion: '7' };
  const { metadata, data = {} } = letterConfigMap(letter);
  expect(readLetter({ metadata: { ...metadata, ...version }, data })).toEqual({
    ...letter,
    ...version,
    name: letterName(letter),
  });
});

test('an event in order has everything that it is sent again with', () => {
  expect(letterOfEvent(event(), received).event).toEqual({
    specversion: '1.0',
    id: '1',
    source: '/functions/status',
    type: 'org.openstack.magnum.cluster.status.v1',
    subject: 'c',
    time: '2026-11-30T05:59:00Z',
    partitionkey: 'c',
    datacontenttype: 'application/json',
    dataschema: 'urn:magnum-capi-functions:schema:org.openstack.magnum.cluster.status.v1',
    data: { a: 1 },
  });
});

test.each([
  ['a secret among its data', event({ data: { token: 'abc' } })],
  ['a token in a text', event({ data: { reason: 'Bearer abcdefgh' } })],
  ['a secret in an extension', event({ extensions: { note: 'password=hunter2' } })],
  ['data of a depth that nothing has', event({ data: { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } } })],
  ['more than 64 KiB', event({ data: 'x'.repeat(70_000) })],
  ['a long attribute', event({ source: 's'.repeat(1_000) })],
])('an event with %s is not whole', (_what, given) => {
  expect(letterOfEvent(given, received).isWhole).toBe(false);
});

test('the size of a letter has an end, whatever is in it', () => {
  const huge = 'é'.repeat(100_000);
  const letter = letterOfEvent(
    event({ source: huge, data: huge, extensions: { a: huge, knativeerrordata: huge } }),
    received,
  );
  expect(JSON.stringify(letterConfigMap(letter)).length).toBeLessThan(10_000);
});
