import type { WireRequest } from './wire-request.ts';

/**
 * Cases of https://github.com/cloudevents/conformance (features/http-protocol-binding.feature, yaml/) and of the specification 1.0.2
 * (cloudevents/spec.md §3, bindings/http-protocol-binding.md §3, formats/json-format.md §2 and §3), in requests of our own.
 */
export interface Vector {
  readonly title: string;
  readonly request: WireRequest;
}

/** A vector that is an event, with what it says. */
export interface AcceptedVector extends Vector {
  readonly expected: Readonly<Record<string, unknown>>;
}

/** What every vector is an event of. */
export interface VectorEvent {
  readonly type: string;
  readonly subject: string;
  readonly data: unknown;
}

const required = { specversion: '1.0', id: 'C234-1234-1234', source: '/mycontext/subcontext' };
const time = '2026-04-05T17:31:00Z';

function attributesOf({ type, subject }: VectorEvent): Record<string, string> {
  return { ...required, type, subject, time };
}

export function binary(
  event: VectorEvent,
  changes: Readonly<Record<string, string | undefined>> = {},
  body: string | Buffer = JSON.stringify(event.data),
): WireRequest {
  const attributes = Object.entries(attributesOf(event)).map(([name, value]) => [`ce-${name}`, value]);
  const all = Object.entries({ ...Object.fromEntries(attributes), 'content-type': 'application/json', ...changes });
  const headers: Record<string, string> = {};
  for (const [name, value] of all) if (value !== undefined) headers[name] = String(value);
  return { headers, body };
}

export function structured(
  event: VectorEvent,
  members: Readonly<Record<string, unknown>> = {},
  contentType = 'application/cloudevents+json',
): WireRequest {
  const body = JSON.stringify({ ...attributesOf(event), data: event.data, ...members });
  return { headers: { 'content-type': contentType }, body };
}

/** Header values and the texts that they stand for (HTTP binding §3.1.3.2). */
export const encodedValues: readonly (readonly [string, string, string])[] = [
  ['plain text', 'value', 'value'],
  ['all printable ASCII that stays as it is', "!#$&'()*+,-./:;<=>?@[\\]^_`{|}~", "!#$&'()*+,-./:;<=>?@[\\]^_`{|}~"],
  ['percent-encoding of space, letters and an emoji', 'Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € \u{1f600}'],
  ['percent-encoding in small letters', '%e2%82%ac', '€'],
  ['percent-encoding that was not needed', '%41%42', 'AB'],
  ['one round of it alone', '100%2525', '100%25'],
  ['a quoted text', '"a b"', 'a b'],
  ['a quoted text with escapes', '"a \\"b\\" \\\\ c"', 'a "b" \\ c'],
  ['percent-encoding within quotes', '"a%20b"', 'a b'],
  ['a quotation mark that does not quote', 'a"b', 'a"b'],
  ['UTF-8 that nobody encoded', 'größe', 'größe'],
  ['spaces that nobody encoded', 'this is an extra attribute', 'this is an extra attribute'],
];

const jsonValues = [
  { appinfoA: 'abc', appinfoB: 123, appinfoC: true },
  1.5,
  "I'm just a string",
  ['Hello', '\u{1f30e}'],
  null,
  true,
];

const extensions = { comexampleextension1: 'value', comexampleothervalue: 5, comexampleflag: true };
const extensionTexts = { comexampleextension1: 'value', comexampleothervalue: '5', comexampleflag: 'true' };

/** An event with what each vector says beside its attributes: the same data and no extensions where nothing is told. */
export function acceptedVectors(event: VectorEvent): AcceptedVector[] {
  return [...acceptedInBinary(event), ...acceptedInStructured(event)].map(([title, request, expected = {}]) => ({
    title,
    request,
    expected,
  }));
}

type AcceptedCase = readonly [string, WireRequest, AcceptedVector['expected']?];

function acceptedInBinary(event: VectorEvent): readonly AcceptedCase[] {
  const time = '2026-04-05T19:31:00.123+02:00';
  const extensionHeaders = Object.entries(extensionTexts).map(([name, value]) => [`ce-${name}`, value]);
  const types = ['application/json; charset=utf-8', 'application/merge-patch+json', 'text/json', undefined];
  return [
    ['binary mode', binary(event)],
    [
      'binary mode with extensions',
      binary(event, Object.fromEntries(extensionHeaders)),
      { extensions: extensionTexts },
    ],
    ['binary mode with a schema of the data', binary(event, { 'ce-dataschema': 'urn:x' })],
    ['binary mode with an offset of the time', binary(event, { 'ce-time': time }), { time }],
    ['binary mode without data', binary(event, {}, ''), { data: undefined }],
    ...types.map((type): AcceptedCase => [`binary mode with data of ${type}`, binary(event, { 'content-type': type })]),
    ...jsonValues.map(
      (data): AcceptedCase => [`binary mode with ${JSON.stringify(data)}`, binary({ ...event, data }), { data }],
    ),
  ];
}

function acceptedInStructured(event: VectorEvent): readonly AcceptedCase[] {
  const plain = structured(event);
  const otherHeaders = { ...plain, headers: { ...plain.headers, 'ce-id': 'other', 'ce-specversion': '1.0' } };
  const encoded = { data: undefined, data_base64: Buffer.from(JSON.stringify(event.data)).toString('base64') };
  const types = ['application/cloudevents+json; charset=utf-8', 'Application/CloudEvents+JSON;charset="UTF-8"'];
  return [
    ['structured mode', plain],
    ['structured mode with extensions', structured(event, extensions), { extensions: extensionTexts }],
    ['structured mode with what is unset', structured(event, { unsetextension: null, dataschema: null })],
    ['structured mode with attributes in headers, which do not count', otherHeaders],
    ['structured mode without data', structured(event, { data: undefined }), { data: undefined }],
    ['structured mode with JSON in base64', structured(event, encoded)],
    ['structured mode with the type of its data', structured(event, { datacontenttype: 'application/json' })],
    ...types.map((type): AcceptedCase => [`structured mode as ${type}`, structured(event, {}, type)]),
    ...jsonValues.map(
      (data): AcceptedCase => [
        `structured mode with ${JSON.stringify(data)}`,
        structured({ ...event, data }),
        { data },
      ],
    ),
  ];
}

const missing = ['specversion', 'id', 'source', 'type'];

type BinaryCase = readonly [string, Readonly<Record<string, string | undefined>>, (string | Buffer)?];

const faultyHeaders: readonly BinaryCase[] = [
  ...missing.map((name): BinaryCase => [`without ${name}`, { [`ce-${name}`]: undefined }]),
  ...missing.map((name): BinaryCase => [`with an empty ${name}`, { [`ce-${name}`]: '' }]),
  ...['0.3', '1.1', '2.0', '1'].map((version): BinaryCase => [`of version ${version}`, { 'ce-specversion': version }]),
  ['with an overlong encoding of a space', { 'ce-extra': '%C0%A0' }],
  ['with half of an encoded character', { 'ce-extra': '%E2%82' }],
  ['with a percent sign alone', { 'ce-extra': '100%' }],
  ['with an encoded surrogate', { 'ce-extra': '%ED%A0%80' }],
  ['with an encoded control character', { 'ce-extra': 'a%0Ab' }],
  ['with a time that is none', { 'ce-time': '2026-04-31T17:31:00Z' }],
  ['with a name that is none', { 'ce-an_extension': 'x' }],
  ['with the type of its data as an attribute', { 'ce-datacontenttype': 'application/json' }],
];

const unreadableData: readonly BinaryCase[] = [
  ['with data of XML', { 'content-type': 'application/xml' }, '<much wow="xml"/>'],
  ['with data of text', { 'content-type': 'text/plain; charset=us-ascii' }, 'Hello, World!'],
  ['with JSON that is none', {}, '{"message": }'],
  ['with data that is no UTF-8', {}, Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ['with data in UTF-16', {}, Buffer.from('{"message": "Hello World!"}', 'utf16le')],
];

type StructuredCase = readonly [string, Readonly<Record<string, unknown>>];

const faultyMembers: readonly StructuredCase[] = [
  ...missing.map((name): StructuredCase => [`without ${name}`, { [name]: undefined }]),
  ['with an unset id', { id: null }],
  ['of version 0.3', { specversion: '0.3' }],
  ['whose version is a number', { specversion: 1.0 }],
  ['with a name in capitals', { Extra: 'x' }],
  ['with an extension that is an object', { extra: { othervalue: 5 } }],
  ['with an extension that is a fraction', { extra: 1.5 }],
  ['with data twice', { data_base64: 'e30=' }],
  ['with base64 that is none', { data: undefined, data_base64: '***' }],
  ['with bytes that are no JSON', { data: undefined, data_base64: 'AAECAw==' }],
  ['with XML as text', { datacontenttype: 'application/xml', data: '<much wow="xml"/>' }],
];

/** Title, content type and body of what is not one event in a format that everybody must know. */
function otherFormats(event: VectorEvent): readonly (readonly [string, string, string | Buffer])[] {
  const single = String(structured(event).body);
  return [
    ['a batch', 'application/cloudevents-batch+json; charset=utf-8', `[${single}]`],
    ['an empty batch', 'application/cloudevents-batch+json', '[]'],
    ['a batch that calls itself one event', 'application/cloudevents+json', `[${single}]`],
    ['an event in Avro', 'application/cloudevents+avro', Buffer.from([0, 1, 2])],
    ['an event in Protobuf', 'application/cloudevents+protobuf', Buffer.from([10, 1, 49])],
    ['an event in XML', 'application/cloudevents+xml', '<event/>'],
    ['an event in another charset', 'application/cloudevents+json; charset=utf-16', single],
    ['nothing', 'application/cloudevents+json', ''],
    ['JSON that is no event', 'application/json', JSON.stringify(event.data)],
  ];
}

/** What is no event of version 1.0, or one whose data nobody here can read. */
export function refusedVectors(event: VectorEvent): Vector[] {
  return [
    ...[...faultyHeaders, ...unreadableData].map(([title, headers, body]) => ({
      title: `binary mode ${title}`,
      request: binary(event, headers, body),
    })),
    ...faultyMembers.map(([title, members]) => ({
      title: `structured mode ${title}`,
      request: structured(event, members),
    })),
    ...otherFormats(event).map(([title, type, body]) => ({
      title,
      request: { headers: { 'content-type': type }, body },
    })),
  ];
}
