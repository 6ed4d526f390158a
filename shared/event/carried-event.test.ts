import { HTTP } from 'cloudevents';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CarriedEvent, eventData, eventHeaders, readCarriedEvent, withAttributes } from './carried-event.ts';

const attributes = { specversion: '1.0', id: 'e-1', source: '/s', type: 't' };
const headers = { 'ce-specversion': '1.0', 'ce-id': 'e-1', 'ce-source': '/s', 'ce-type': 't' };

function read(given: Readonly<Record<string, string>>, body = ''): CarriedEvent {
  return readCarriedEvent({ rawHeaders: Object.entries(given).flat(), body: Buffer.from(body) });
}

function readStructured(document: unknown): CarriedEvent {
  return read({ 'content-type': 'application/cloudevents+json; charset=utf-8' }, JSON.stringify(document));
}

test('an event in binary mode keeps its data, its extensions and their empty values', () => {
  const event = read(
    { ...headers, 'ce-namespace': '', 'CE-Name': 'caf%C3%A9', 'content-type': 'application/json' },
    '{"a": 1}',
  );
  expect(event).toEqual({
    attributes: { ...attributes, namespace: '', name: 'café' },
    contentType: 'application/json',
    body: Buffer.from('{"a": 1}'),
  });
  expect(eventHeaders(event)).toEqual({
    ...headers,
    'ce-namespace': '',
    'ce-name': 'caf%C3%A9',
    'content-type': 'application/json',
  });
});

test.each<[string, object, Partial<CarriedEvent>]>([
  ['data', { data: { a: 1 } }, { contentType: 'application/json', body: Buffer.from('{"a":1}') }],
  ['no data', {}, { contentType: undefined, body: Buffer.alloc(0) }],
  ['data_base64', { data_base64: 'AAE=', datacontenttype: 'x/y' }, { contentType: 'x/y', body: Buffer.from([0, 1]) }],
  ['extensions', { n: 1, b: true, absent: null }, { attributes: { ...attributes, n: '1', b: 'true' } }],
])('an event in structured mode with %s', (_title, members, expected) => {
  expect(readStructured({ ...attributes, ...members })).toMatchObject(expected);
});

test('the CloudEvents library reads the same event', () => {
  const event = readStructured({ ...attributes, subject: 'größe', data: { a: 1 } });
  expect(HTTP.toEvent({ headers: eventHeaders(event), body: event.body.toString() })).toMatchObject({
    ...attributes,
    data: { a: 1 },
  });
});

test('every event comes out of its headers as it went in', () => {
  const names = fc.stringMatching(/^[a-z0-9]{1,20}$/);
  const values = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(fc.dictionary(names, values), fc.uint8Array(), (extensions, bytes) => {
      const event = {
        attributes: { ...extensions, ...attributes },
        contentType: 'application/json',
        body: Buffer.from(bytes),
      };
      const rawHeaders = Object.entries(eventHeaders(event)).flat();
      expect(readCarriedEvent({ rawHeaders, body: event.body })).toEqual(event);
    }),
  );
});

describe('what is no event is refused', () => {
  test.each([
    ['no attributes', {}, ''],
    ['another version', { ...headers, 'ce-specversion': '0.3' }, ''],
    ['no id', { ...headers, 'ce-id': '' }, ''],
    ['a batch', { 'content-type': 'application/cloudevents-batch+json' }, '[]'],
    ['a list', { 'content-type': 'application/cloudevents+json' }, '[]'],
    ['no body', { 'content-type': 'application/cloudevents+json' }, ''],
  ])('%s', (_title, given, body) => {
    expect(() => read(given, body)).toThrow();
  });
});

test('attributes are added, replaced and taken away', () => {
  const event = { attributes: { a: '1', b: '2' }, contentType: undefined, body: Buffer.alloc(0) };
  expect(withAttributes(event, { a: '3', b: undefined, c: '' }).attributes).toEqual({ a: '3', c: '' });
});

test.each([
  ['application/json', '{"a":1}', { a: 1 }],
  ['application/problem+json; charset=utf-8', '[]', []],
  ['text/plain', 'x', undefined],
  ['application/json', '', undefined],
])('the data of %s %j', (contentType, body, data) => {
  expect(eventData({ attributes, contentType, body: Buffer.from(body) })).toEqual(data);
});
