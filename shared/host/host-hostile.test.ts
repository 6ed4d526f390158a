import { type OutgoingHttpHeaders, request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { DependencyError, InvalidEventError } from '../contract/errors.ts';
import { UnauthenticatedError } from './host-errors.ts';
import {
  answerTo,
  type HostUnderTest,
  hostUnderTest,
  requestData,
  requestHeaders,
  requestType,
} from './testing/host-under-test.ts';

describe('whatever is sent', () => {
  let host: HostUnderTest;
  beforeAll(async () => {
    host = await hostUnderTest();
  });
  afterAll(() => host.close());

  const statuses = [200, 204, 400, 401, 403, 404, 405, 413];
  const headerName = fc.oneof(
    fc.constantFrom(
      ...Object.keys(requestHeaders),
      'ce-data',
      'ce-extra',
      'content-encoding',
      'expect',
      'authorization',
      '__proto__',
    ),
    fc.stringMatching(/^[!#$%&'*+.^_`|~0-9a-zA-Z-]{1,20}$/),
  );
  const headerValue = fc.oneof(
    fc.constantFrom(
      ...Object.values(requestHeaders),
      '',
      '1.0',
      'application/cloudevents+json',
      '%',
      '%C0%A0',
      '"',
      'text/plain',
      '100-continue',
    ),
    fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,60}$/),
  );
  const unsendable = new Set([
    'host',
    'content-length',
    'transfer-encoding',
    'connection',
    'upgrade',
    'trailer',
    'keep-alive',
    'te',
  ]);
  const headers = fc
    .dictionary(headerName, fc.oneof(headerValue, fc.array(headerValue, { maxLength: 3 })), { maxKeys: 8 })
    .map((entries) => Object.entries(entries).filter(([name]) => !unsendable.has(name.toLowerCase())));
  const attributes = fc.dictionary(
    fc.constantFrom('specversion', 'id', 'source', 'type', 'subject', 'time', 'data', 'data_base64', '__proto__', 'x'),
    fc.oneof(fc.jsonValue(), headerValue),
  );
  const body = fc.oneof(
    fc.constant(JSON.stringify(requestData)),
    fc.json(),
    attributes.map((document) => JSON.stringify(document)),
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  );
  const base = fc.constantFrom(requestHeaders, { 'content-type': 'application/cloudevents+json' }, {});

  test('the answer has a status of the contract and the host goes on', async () => {
    await fc.assert(
      fc.asyncProperty(base, headers, body, async (start, changes, sent) => {
        const outgoing = request({ host: '127.0.0.1', port: host.port, method: 'POST', agent: false, headers: start });
        for (const [name, value] of changes) outgoing.setHeader(name, value);
        outgoing.end(sent);
        const answer = await answerTo(outgoing);
        // Node itself answers expectations that it does not know.
        if (outgoing.hasHeader('expect') && answer.status === 417) return;
        expect(statuses).toContain(answer.status);
        if (answer.status === 200) expect(answer.headers['ce-type']).toBeDefined();
      }),
      { numRuns: 300 },
    );
    expect(await host.invoke()).toMatchObject({ status: 200 });
    expect(host.events().filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  }, 60_000);

  test('every path and method has an answer', async () => {
    const path = fc.stringMatching(/^[!-~]{0,40}$/).map((text) => `/${text}`);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'),
        path,
        async (method, target) => {
          expect([200, 400, 404, 405]).toContain((await host.send({ method, path: target })).status);
        },
      ),
    );
  }, 60_000);
});

describe('a secret that is sent', () => {
  const secret = 'XyZ0123456789sEcReT';
  const token = `gAAAAAB${secret.repeat(4)}`;
  const key = `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`;
  const data = { ...requestData, context: { token }, certificates: { ca: { private_key: key } }, password: secret };
  const body = JSON.stringify(data);

  const leaky = (create: (message: string) => unknown) => async () => {
    throw create(`Keystone said: {"token": "${secret}"}, ${token} and ${key}`);
  };
  const cause = new Error(`cause: password=${secret}`);
  const throwing: [string, () => Promise<never>][] = [
    ['a defect', leaky((message) => new Error(message, { cause }))],
    ['a dependency', leaky((message) => new DependencyError(message, { cause }))],
    ['a refusal', leaky((message) => new InvalidEventError(message, { cause }))],
    [
      'an error with a response',
      leaky(() => Object.assign(new Error('failed'), { response: { token: secret }, config: { data } })),
    ],
    ['data', leaky(() => data)],
  ];

  test.each(throwing)('appears in no answer and no log when the function throws %s', async (_title, handle) => {
    const host = await hostUnderTest({
      routes: { '/': { name: 'create', accepts: { [requestType]: z.unknown() }, handle } },
    });
    const answer = await host.send({ headers: { ...requestHeaders, authorization: `Bearer ${secret}` }, body });
    await host.close();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify([answer, host.log])).not.toContain(secret);
    expect(host.events()).toHaveLength(1);
  });

  test.each<[string, string | Buffer, OutgoingHttpHeaders]>([
    ['is cut', body.slice(0, -1), {}],
    ['does not match the schema', JSON.stringify({ ...data, cluster: { uuid: { token } } }), {}],
    ['is compressed', body, { 'content-encoding': 'gzip' }],
    ['stands in an attribute of the wrong kind', body, { 'ce-time': secret }],
    ['is called twice', body, { Authorization: [`Bearer ${secret}`, `Bearer ${secret}`] }],
    ['is no UTF-8', Buffer.concat([Buffer.from(body), Buffer.from([0xff])]), {}],
  ])('appears in no answer and no log when the request %s', async (_title, sent, headers) => {
    const authenticator = { trusts: () => false, authorize: async () => undefined };
    const host = await hostUnderTest({ authenticator });
    const answer = await host.send({
      headers: { ...requestHeaders, authorization: `Bearer ${secret}`, ...headers },
      body: sent,
    });
    await host.close();
    expect(answer.status).toBe(400);
    expect(JSON.stringify([answer, host.log])).not.toContain(secret);
  });

  test('appears in no answer and no log when its sender is refused', async () => {
    const refuse = () => Promise.reject(new UnauthenticatedError('No.', { cause: new Error(`Bearer ${secret}`) }));
    const host = await hostUnderTest({ authenticator: { trusts: () => false, authorize: refuse } });
    const answer = await host.send({ headers: { ...requestHeaders, authorization: `Bearer ${secret}` }, body });
    await host.close();
    expect(answer.status).toBe(401);
    expect(JSON.stringify([answer, host.log])).not.toContain(secret);
  });
});
