import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { DependencyError } from '../contract/errors.ts';
import { type Access, type Authenticator, noAuthentication } from './authenticator.ts';
import { ForbiddenError, UnauthenticatedError } from './host-errors.ts';
import {
  answerTo,
  brokerHeaders,
  brokerType,
  echo,
  type HostUnderTest,
  hostUnderTest,
  requestData,
  requestHeaders,
  requestType,
} from './testing/host-under-test.ts';

let host: HostUnderTest;
afterEach(() => host.close());

/** Takes the token `good` alone, and remembers what it was asked. */
function authenticatorThat(options: { readonly trustsBrokers: boolean }): Authenticator & { readonly asked: Access[] } {
  const asked: Access[] = [];
  const trusts: Authenticator['trusts'] = (sender) => sender === 'broker' && options.trustsBrokers;
  return {
    asked,
    trusts,
    async authorize(access) {
      asked.push(access);
      if (!trusts(access.sender) && access.authorization !== 'Bearer good') throw new UnauthenticatedError('No.');
    },
  };
}

const structured = { 'content-type': 'application/cloudevents+json' };
const documentOf = (type: string) => {
  const attributes = Object.entries({ ...requestHeaders, 'ce-type': type }).filter(([name]) => name.startsWith('ce-'));
  return { ...Object.fromEntries(attributes.map(([name, value]) => [name.slice(3), value])), data: requestData };
};
const requestsOnly = { ...echo, accepts: { [requestType]: echo.accepts[requestType]! } };

/** The answer to headers alone: what waits for the body does not answer. */
function answerToHeaders(headers: Record<string, string>) {
  const outgoing = request({
    host: '127.0.0.1',
    port: host.port,
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-length': 900_000 },
  });
  outgoing.flushHeaders();
  return answerTo(outgoing);
}

describe('a sender without a valid token is refused before its body is read', () => {
  test.each([
    ['a request in binary mode', requestHeaders, echo],
    ['a request in binary mode with a wrong token', { ...requestHeaders, authorization: 'Bearer bad' }, echo],
    ['an event of a source that the function does not take', brokerHeaders, requestsOnly],
    ['a type that nobody knows', { ...requestHeaders, 'ce-type': 'made.up' }, echo],
    ['a structured request to a function that takes requests only', structured, requestsOnly],
    ['the same with a wrong token', { ...structured, authorization: 'Bearer bad' }, requestsOnly],
  ])('with %s', async (_title, headers, target) => {
    host = await hostUnderTest({ authenticator: authenticatorThat({ trustsBrokers: true }), routes: { '/': target } });
    const answer = await answerToHeaders(headers);
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="magnum-functions"' } });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'unauthenticated' });
    expect(host.events()).toMatchObject([{ outcome: 'unauthenticated', status: 401 }]);
  });

  test.each([brokerHeaders, structured])('where brokers need one too, with %j', async (headers) => {
    host = await hostUnderTest({ authenticator: authenticatorThat({ trustsBrokers: false }) });
    expect(await answerToHeaders(headers)).toMatchObject({ status: 401 });
  });
});

describe('a structured event is judged by the type in its body', () => {
  test.each([
    [requestType, undefined, 401],
    [requestType, 'Bearer good', 200],
    [brokerType, undefined, 204],
    ['dev.knative.made.up', undefined, 401],
  ])('%s with %s gives %d', async (type, authorization, status) => {
    host = await hostUnderTest({ authenticator: authenticatorThat({ trustsBrokers: true }) });
    const headers = { ...structured, 'ce-type': brokerType, ...(authorization === undefined ? {} : { authorization }) };
    expect(await host.send({ headers, body: JSON.stringify(documentOf(type)) })).toMatchObject({ status });
  });
});

test('the authenticator is asked once, with the function that is to be invoked', async () => {
  const authenticator = authenticatorThat({ trustsBrokers: true });
  host = await hostUnderTest({ authenticator });
  await host.invoke({ authorization: 'Bearer good' });
  expect(authenticator.asked).toEqual([{ sender: 'caller', functionName: 'create', authorization: 'Bearer good' }]);
});

test('an authorised sender of a type that the function does not take is told so', async () => {
  host = await hostUnderTest({ authenticator: authenticatorThat({ trustsBrokers: true }) });
  const answer = await host.invoke({
    authorization: 'Bearer good',
    'ce-type': 'org.openstack.magnum.cluster.delete.v1',
  });
  expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('does not take events of this type') });
});

test.each(['constructor', 'toString', '__proto__'])('the type %s is unknown', async (type) => {
  host = await hostUnderTest();
  expect(await host.invoke({ 'ce-type': type })).toMatchObject({ status: 400 });
});

test.each([
  [new ForbiddenError('No.'), 403, undefined, 'forbidden'],
  [new DependencyError('Down.'), 503, '5', 'unavailable'],
])('an authenticator that throws %s gives %d', async (error, status, retryAfter, outcome) => {
  host = await hostUnderTest({ authenticator: { ...noAuthentication, authorize: () => Promise.reject(error) } });
  const answer = await host.invoke();
  expect(answer.status).toBe(status);
  expect(answer.headers['retry-after']).toBe(retryAfter);
  expect(host.events()).toMatchObject([{ outcome }]);
});

describe('data that does not match the schema', () => {
  test('is refused by the paths of the first three faults and none of its values', async () => {
    host = await hostUnderTest();
    const answer = await host.invoke({}, { cluster: { uuid: 5, name: ['s3cr3t'] } });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({
      code: 'invalid_event',
      message: `The data of ${requestType} does not match its schema at cluster.uuid (expected string), cluster.name (expected string).`,
    });
    expect(host.log.join('')).not.toContain('s3cr3t');
  });

  test.each([undefined, null, [], 'text', 5, {}, { cluster: null }, { cluster: { uuid: null } }])(
    'such as %j is refused',
    async (data) => {
      host = await hostUnderTest();
      expect(
        await host.send({ headers: requestHeaders, body: data === undefined ? '' : JSON.stringify(data) }),
      ).toMatchObject({ status: 400 });
    },
  );
});
