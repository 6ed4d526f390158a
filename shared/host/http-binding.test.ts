import { CloudEvent, HTTP } from 'cloudevents';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidEventError } from '../contract/errors.ts';
import { binaryAttributes, binaryMessage, checkDataType, contentMode, structuredEvent } from './http-binding.ts';
import { type Headers, readHeaders } from './http-headers.ts';

const arrived = new Date('2026-11-29T12:00:00Z');
const event = {
  specversion: '1.0',
  id: 'req-1',
  source: '/magnum',
  type: 'org.openstack.magnum.cluster.create.v1',
  subject: 'a3f0',
  time: '2026-11-29T10:00:00Z',
};

const headersOf = (headers: Record<string, string>): Headers => readHeaders(Object.entries(headers).flat());
const structured = (document: unknown) => structuredEvent(Buffer.from(JSON.stringify(document)), arrived);

const manyExtensions = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 'y']));

describe('the content mode', () => {
  test.each([
    [{ 'content-type': 'application/cloudevents+json' }, 'structured'],
    [{ 'content-type': 'application/cloudevents+json; charset=UTF-8' }, 'structured'],
    [{ 'content-type': 'Application/CloudEvents+JSON;charset="utf-8"', 'ce-specversion': '1.0' }, 'structured'],
    [{ 'content-type': 'application/json', 'ce-specversion': '1.0' }, 'binary'],
    [{ 'content-type': 'application/json; charset=utf-8', 'ce-specversion': '1.0' }, 'binary'],
    [{ 'content-type': 'application/merge-patch+json', 'ce-specversion': '1.0' }, 'binary'],
    [{ 'content-type': 'text/plain', 'ce-specversion': '1.0' }, 'binary'],
    [{ 'content-type': 'application/json; charset=latin1', 'ce-specversion': '1.0' }, 'binary'],
    [{ 'ce-specversion': '1.0' }, 'binary'],
    [{ 'ce-specversion': '1.0', 'content-encoding': 'Identity' }, 'binary'],
  ])('of %j is %s', (headers, mode) => {
    expect(contentMode(headersOf(headers))).toBe(mode);
  });

  test.each([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'application/cloudevents-batch+json' },
    { 'content-type': 'application/cloudevents-batch+json', 'ce-specversion': '1.0' },
    { 'content-type': 'application/cloudevents+avro' },
    { 'content-type': 'application/cloudevents' },
    { 'content-type': 'application/cloudevents+json; charset=latin1' },
    { 'content-type': 'application/cloudevents+avro', 'ce-specversion': '1.0' },
    { 'content-type': '', 'ce-specversion': '1.0' },
    { 'content-type': '/;;;', 'ce-specversion': '1.0' },
    { 'content-type': 'application/json', 'ce-specversion': '1.0', 'content-encoding': 'gzip' },
  ])('of %j is none', (headers) => {
    expect(() => contentMode(headersOf(headers))).toThrow(InvalidEventError);
  });
});

describe('data', () => {
  test.each([
    undefined,
    'application/json',
    'application/json; charset=UTF-8',
    'text/json',
    'application/merge-patch+json',
  ])('of the type %s can be read', (type) => {
    expect(() => checkDataType(type)).not.toThrow();
  });

  test.each([
    'application/json; charset=latin1',
    'text/plain',
    'application/xml',
    'application/octet-stream',
    '',
    '/;;;',
  ])('of the type %j cannot', (type) => {
    expect(() => checkDataType(type)).toThrow(InvalidEventError);
  });
});

describe('binary mode', () => {
  const binary = Object.fromEntries(Object.entries(event).map(([name, value]) => [`ce-${name}`, value]));

  test('decodes each attribute', () => {
    const headers = headersOf({ ...binary, 'ce-subject': 'gr%C3%B6%C3%9Fe', 'Ce-Namespace': '', 'kn-namespace': 'x' });
    expect(binaryAttributes(headers, arrived)).toMatchObject({ subject: 'größe', extensions: { namespace: '' } });
  });

  test.each([
    ['ce-data', '{}'],
    ['ce-datacontenttype', 'application/json'],
    ['ce-data_base64', 'e30='],
    ['ce-', 'x'],
    ['ce-subject', '%0D%0Ace-id:%20x'],
    ['ce-subject', '%'],
  ])('refuses the header %s: %s', (name, value) => {
    expect(() => binaryAttributes(headersOf({ ...binary, [name]: value }), arrived)).toThrow(InvalidEventError);
  });
});

describe('structured mode', () => {
  test.each([
    ['data of any JSON type', { ...event, data: [null, 1] }, { data: [null, 1] }],
    ['no data', event, { data: undefined }],
    ['data in base64', { ...event, data_base64: Buffer.from('{"a":"é"}').toString('base64') }, { data: { a: 'é' } }],
    ['data in base64 beside null', { ...event, data_base64: null, data: 1 }, { data: 1 }],
    ['null for an absent attribute', { ...event, partitionkey: null }, { extensions: {} }],
    [
      'extensions of other types',
      { ...event, attempt: 3, last: false },
      { extensions: { attempt: '3', last: 'false' } },
    ],
    ['many extensions', { ...event, ...manyExtensions(250) }, { extensions: manyExtensions(250) }],
    ['a JSON content type', { ...event, datacontenttype: 'application/json; charset=utf-8', data: 1 }, { data: 1 }],
  ])('takes %s', (_title, document, expected) => {
    expect(structured(document)).toMatchObject(expected);
  });

  test.each([
    ['a batch', [event]],
    ['a text', 'event'],
    ['null', null],
    ['an unknown version', { ...event, specversion: '0.3' }],
    ['no id, which the library would make up', { ...event, id: undefined }],
    ['no time, which the library would make up', { ...event, time: undefined }],
    ['a wrong time, for which the library would put its own', { ...event, time: 'soon' }],
    ['no version, which the library would assume', { ...event, specversion: undefined }],
    ['an id that is a number', { ...event, id: 5 }],
    ['an extension that is an object', { ...event, extra: {} }],
    ['an extension that is a fraction', { ...event, extra: 1.5 }],
    ['both kinds of data', { ...event, data: null, data_base64: 'e30=' }],
    ['data that is not base64', { ...event, data_base64: '{"a":1}' }],
    ['data in base64 that is not JSON', { ...event, data_base64: 'AAAA' }],
    ['data in base64 that is no text', { ...event, data_base64: 5 }],
    ['data of another type', { ...event, datacontenttype: 'text/plain', data: 'x' }],
    ['a member with an invalid name', { ...event, 'a-b': 'x' }],
    ['more members than anybody sends', { ...event, ...manyExtensions(257 - Object.keys(event).length) }],
  ])('refuses %s', (_title, document) => {
    expect(() => structured(document)).toThrow(InvalidEventError);
  });

  test.each([
    ['of another type', { datacontenttype: 'text/plain', data: 'x' }],
    ['in base64 that is no JSON', { data_base64: 'AAAA' }],
    ['of any shape', { data: [1] }],
  ])('leaves data alone that nobody reads: %s', (_title, members) => {
    const body = Buffer.from(JSON.stringify({ ...event, ...members }));
    expect(structuredEvent(body, arrived, () => false).data).toBeUndefined();
    expect(structuredEvent(body, arrived, () => false)).toMatchObject({ id: event.id });
  });

  test('refuses a member called __proto__', () => {
    const text = JSON.stringify(event).replace('{', '{"__proto__":"x",');
    expect(() => structuredEvent(Buffer.from(text), arrived)).toThrow(InvalidEventError);
  });
});

describe('the CloudEvents library and this binding understand each other', () => {
  const names = fc
    .stringMatching(/^[a-z][a-z0-9]{0,19}$/)
    .filter((name) => !['data', 'schemaurl'].includes(name) && !(name in event));
  // The library neither writes nor reads percent-encoding.
  const plain = fc.stringMatching(/^[!#$&-~]{1,40}$/);
  const events = fc.record({
    id: plain,
    subject: plain,
    extension: fc.tuple(names, plain),
    data: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
  });
  const wellFormed = (data: unknown) => !JSON.stringify(data).includes('"__proto__"');

  test('in what it sends in either mode', () => {
    fc.assert(
      fc.property(events, ({ id, subject, extension, data }) => {
        fc.pre(wellFormed(data) && extension[0] !== 'datacontentencoding');
        const sent = new CloudEvent({ ...event, id, subject, data, [extension[0]]: extension[1] });
        const expected = { id, subject, extensions: { [extension[0]]: extension[1] } };
        const binary = HTTP.binary(sent);
        const headers = headersOf(
          Object.fromEntries(Object.entries(binary.headers).map(([name, value]) => [name, String(value)])),
        );
        expect(contentMode(headers)).toBe('binary');
        expect(binaryAttributes(headers, arrived)).toMatchObject(expected);
        const received = structuredEvent(Buffer.from(String(HTTP.structured(sent).body)), arrived);
        expect(received).toMatchObject({ ...expected, data: JSON.parse(JSON.stringify(data)) });
      }),
    );
  });

  test('in what it receives', () => {
    fc.assert(
      fc.property(events, ({ id, subject, data }) => {
        const message = binaryMessage({ type: 'a.b', id, subject, data, source: '/functions/x', time: arrived });
        const received = HTTP.toEvent({ ...message, headers: { ...message.headers } });
        if (!(received instanceof CloudEvent)) throw new Error('The library read a batch.');
        expect(received.validate()).toBe(true);
        expect(received).toMatchObject({ id, subject, time: arrived.toISOString() });
        expect(received.data).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });
});
