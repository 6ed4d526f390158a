import { describe, expect, test } from 'vitest';
import { createEvent } from '../functions/create-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { attackedFunction } from './attacked-function.ts';
import { attributes } from './hostile-attributes.ts';
import { exchangeRaw, statusesOf } from './raw-client.ts';

const stage = stageOfFile();
const attacked = attackedFunction(stage, 'create');
const reviews = ['tokenreviews', 'subjectaccessreviews'];

const binary = [
  ...Object.entries(attributes).map(([name, value]) => `ce-${name}: ${value}`),
  'content-type: application/json',
];

interface RawRequest {
  /** @default POST / HTTP/1.1 */
  readonly line?: string;
  readonly headers?: readonly string[];
  /** @default of the body */
  readonly length?: readonly string[];
  readonly body?: string | Buffer;
}

/** A request of the conductor on a connection of its own, unless its headers say otherwise. */
function request({ line = 'POST / HTTP/1.1', headers = binary, body = '{}', length }: RawRequest): Buffer {
  const bytes = Buffer.from(body);
  const framing = length ?? [`content-length: ${bytes.byteLength}`];
  const head = [line, 'host: x', ...authorized(), 'connection: close', ...headers, ...framing, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

const authorized = () => [`authorization: Bearer ${stage().access.callerToken}`];
const without = (name: string) => binary.filter((header) => !header.startsWith(`${name}:`));
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunked = ['transfer-encoding: chunked'];
const smuggled = 'GET /health/liveness HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
const twoMegabytes = JSON.stringify({ padding: 'x'.repeat(2_000_000) });

async function expectUnharmed(): Promise<void> {
  const alive = await exchangeRaw(
    attacked().port,
    'GET /health/readiness HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  );
  expect(statusesOf(alive)).toEqual([200]);
  const said = attacked().process.logLines.join('\n');
  expect(said).not.toMatch(/"level":"(error|fatal)"/);
  for (const part of stage().access.callerToken.split('.')) expect(said).not.toContain(part.slice(0, 40));
}

/** Bodies and attributes that a sender with every right gets no further with than the host. */
const malformed: Record<string, [RawRequest, number]> = {
  '2 MB with their length': [{ body: twoMegabytes }, 413],
  '2 MB in one chunk': [{ length: chunked, body: `${chunk(twoMegabytes)}0\r\n\r\n` }, 413],
  '2 MB in chunks of 1 KB': [{ length: chunked, body: `${chunk('x'.repeat(1000)).repeat(2000)}0\r\n\r\n` }, 413],
  'more than any number of bytes': [{ length: ['content-length: 99999999999999999999'] }, 400],
  'malformed JSON': [{ body: '{"cluster":}' }, 400],
  'truncated JSON': [{ body: '{"cluster":{"uuid":"a' }, 400],
  'two JSON documents': [{ body: '{}{}' }, 400],
  'invalid UTF-8': [{ body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }, 400],
  'a lone surrogate in an attribute': [
    { headers: ['content-type: application/cloudevents+json'], body: JSON.stringify({ ...attributes, id: '\ud800' }) },
    400,
  ],
  'NUL in an attribute': [{ headers: [...without('ce-id'), 'ce-id: a%00b'] }, 400],
  'a line end in an attribute': [{ headers: [...without('ce-id'), 'ce-id: a%0D%0Ace-id: b'] }, 400],
  '100,000 levels of arrays': [{ body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }, 400],
  '100,000 levels of objects': [{ body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` }, 400],
  '100,000 levels in structured mode': [
    {
      headers: ['content-type: application/cloudevents+json'],
      body: JSON.stringify({ ...attributes, data: 0 }).replace(
        '"data":0',
        `"data":${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      ),
    },
    400,
  ],
  '100,000 keys': [
    { body: JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`k${index}`, 0]))) },
    400,
  ],
  'a number that is none': [{ body: '{"cluster": NaN}' }, 400],
  'the event as a batch': [{ headers: ['content-type: application/cloudevents-batch+json'], body: '[]' }, 400],
  'a compressed body': [{ headers: [...binary, 'content-encoding: gzip'], body: Buffer.from([0x1f, 0x8b, 8]) }, 400],
  'another format': [{ headers: [...without('content-type'), 'content-type: text/xml'], body: '<x/>' }, 400],
  'an id twice': [{ headers: [...binary, 'ce-id: other'] }, 400],
  'a content type twice': [{ headers: [...binary, 'content-type: application/cloudevents+json'] }, 400],
  'a token twice': [{ headers: [...binary, 'authorization: Bearer other'] }, 400],
  'the attribute __proto__': [{ headers: [...binary, 'ce-__proto__: polluted'] }, 400],
  'an id of 10,000 characters': [{ headers: [...without('ce-id'), `ce-id: ${'x'.repeat(10_000)}`] }, 400],
};

/** What is wrong with HTTP itself; whatever else the same bytes could mean is not answered. */
const misframed: Record<string, [RawRequest, number]> = {
  'a header of 20,000 characters': [{ headers: [...binary, `x: ${'x'.repeat(20_000)}`] }, 431],
  '10,000 attributes': [{ headers: [...binary, ...Array.from({ length: 10_000 }, (_, i) => `ce-a${i}: x`)] }, 431],
  'a length and chunks': [{ length: ['content-length: 2', ...chunked], body: `0\r\n\r\n${smuggled}` }, 400],
  'chunks and a length': [{ length: [...chunked, 'content-length: 2'], body: `0\r\n\r\n${smuggled}` }, 400],
  'two lengths': [{ length: ['content-length: 2', 'content-length: 44'], body: `{}${smuggled}` }, 400],
  'two lengths in one': [{ length: ['content-length: 2, 2'], body: `{}${smuggled}` }, 400],
  'a length with a sign': [{ length: ['content-length: +2'], body: `{}${smuggled}` }, 400],
  'a length in hexadecimal': [{ length: ['content-length: 0x2'], body: `{}${smuggled}` }, 400],
  'an encoding before chunks': [
    { length: ['transfer-encoding: chunked, identity'], body: `0\r\n\r\n${smuggled}` },
    400,
  ],
  'an unknown encoding': [{ length: ['transfer-encoding: xchunked'], body: `0\r\n\r\n${smuggled}` }, 400],
  'a space before the colon': [{ length: ['content-length : 2'], body: `{}${smuggled}` }, 400],
  'a header that goes on in the next line': [{ length: ['x: a', ' content-length: 2'], body: smuggled }, 400],
  'a chunk size that is none': [{ length: chunked, body: `zz\r\n{}\r\n0\r\n\r\n${smuggled}` }, 400],
  'a chunk size with a sign': [{ length: chunked, body: `-2\r\n{}\r\n0\r\n\r\n${smuggled}` }, 400],
  'two hosts': [{ headers: [...binary, 'host: y'] }, 400],
  'an unknown version': [{ line: 'POST / HTTP/9.9' }, 400],
  'no target': [{ line: 'POST HTTP/1.1' }, 400],
  'an unknown method': [{ line: 'HACK / HTTP/1.1' }, 400],
};

/** What there is no place for. */
const misplaced: Record<string, [RawRequest, number]> = {
  'an absolute URI': [{ line: 'POST http://elsewhere.example.org/ HTTP/1.1' }, 404],
  'another path': [{ line: 'POST /delete HTTP/1.1' }, 404],
  'a path that goes up': [{ line: 'POST /health/../ HTTP/1.1' }, 404],
  'an encoded path': [{ line: 'POST /%2f HTTP/1.1' }, 404],
  'a path with the name of a property': [{ line: 'POST /__proto__ HTTP/1.1' }, 404],
  'an asterisk': [{ line: 'OPTIONS * HTTP/1.1' }, 404],
  'GET in the place of POST': [{ line: 'GET / HTTP/1.1' }, 405],
  'PUT in the place of POST': [{ line: 'PUT / HTTP/1.1' }, 405],
  'TRACE, which would tell the token': [{ line: 'TRACE / HTTP/1.1' }, 405],
  'POST to a page': [{ line: 'POST /metrics HTTP/1.1' }, 405],
  'an expectation that nobody knows': [{ headers: [...binary, 'expect: more'] }, 417],
};

describe.each(Object.entries({ malformed, misframed, misplaced }))('a request that is %s', (_kind, cases) => {
  test.each(Object.entries(cases))(
    'by %s is refused once and costs no more than the reviews',
    async (_title, case_) => {
      const [sent, status] = case_;
      attacked().takeCalls();
      const received = await exchangeRaw(attacked().port, request(sent));
      expect(statusesOf(received), received.slice(0, 500)).toEqual([status]);
      expect(received.length).toBeLessThan(2000);
      for (const call of attacked().takeCalls()) expect(reviews).toContain(call);
      await expectUnharmed();
    },
  );
});

describe('a connection', () => {
  test.each([
    ['speaks TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['speaks HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    ['speaks nothing', Buffer.from('\0\0\0\0\r\n\r\n')],
    ['wants a tunnel', Buffer.from('CONNECT elsewhere.example.org:443 HTTP/1.1\r\nhost: x\r\n\r\n')],
  ])('that %s is closed', async (_title, bytes) => {
    attacked().takeCalls();
    expect((await exchangeRaw(attacked().port, bytes)).length).toBeLessThan(500);
    expect(attacked().takeCalls()).toEqual([]);
    await expectUnharmed();
  });

  test.each(['websocket', 'h2c'])('is not made one of %s', async (protocol) => {
    const upgrade = `GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: ${protocol}\r\n\r\n`;
    expect(statusesOf(await exchangeRaw(attacked().port, upgrade))).toEqual([405]);
  });

  test('on which requests come before their answers gets the answers in order', async () => {
    const probe = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
    const pipelined = `${probe('/health/liveness')}${probe('/none')}${probe('/')}${smuggled}`;
    expect(statusesOf(await exchangeRaw(attacked().port, pipelined))).toEqual([200, 404, 405, 200]);
  });

  test('of HTTP/1.0 is served and closed', async () => {
    const received = await exchangeRaw(attacked().port, 'GET /health/liveness HTTP/1.0\r\n\r\n');
    expect(statusesOf(received)).toEqual([200]);
  });

  test('whose sender waits for 100 Continue without a token is not asked for the body', async () => {
    const head = ['POST / HTTP/1.1', 'host: x', ...binary, 'content-length: 900000', 'expect: 100-continue', '', ''];
    attacked().takeCalls();
    expect(statusesOf(await exchangeRaw(attacked().port, head.join('\r\n')))).toEqual([401]);
    expect(attacked().takeCalls()).toEqual([]);
  });
});

describe('after all of that', () => {
  test('the conductor creates a cluster', async () => {
    expect(await stage().send(await createEvent(stage().cloud), attacked().process.url)).toMatchObject({ status: 200 });
    await expectUnharmed();
  });
});
