import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DependencyError, DriverError } from '../contract/errors.ts';
import type { Access } from './authenticator.ts';
import { ForbiddenError, UnauthenticatedError } from './host-errors.ts';
import { madeUpToken } from './testing/made-up-token.ts';
import { type ReviewServer, startReviewServer } from './testing/review-server.ts';
import { createTokenAuthenticator, type TokenAuthenticatorOptions } from './token-authenticator.ts';

const username = 'system:serviceaccount:magnum-system:magnum-conductor';
const good = madeUpToken(username);
const bad = madeUpToken('nobody');
let server: ReviewServer;
let now = 0;

beforeEach(async () => {
  now = 0;
  server = await startReviewServer();
  server.tokens.set(good, { username, audiences: ['magnum-functions'] });
  server.grants.add(`${username} invoke create`);
});
afterEach(() => server.close());

function authorize(access: Partial<Access> = {}, options: Partial<TokenAuthenticatorOptions> = {}) {
  const authenticator = createTokenAuthenticator({
    ...server.api,
    brokers: 'network',
    now: () => new Date(now),
    ...options,
  });
  const authorizeAgain = (again: Partial<Access> = {}) =>
    authenticator.authorize({
      sender: 'caller',
      functionName: 'create',
      authorization: `Bearer ${good}`,
      ...access,
      ...again,
    });
  return { first: authorizeAgain(), authorizeAgain };
}

describe('a caller', () => {
  test('with a token for these functions and the right to invoke this one is let in', async () => {
    await authorize().first;
    expect(server.asked).toMatchObject([
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: good, audiences: ['magnum-functions'] },
      },
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          user: username,
          uid: '1',
          groups: ['system:serviceaccounts'],
          extra: { 'example.org/a': ['b'] },
          resourceAttributes: {
            group: 'functions.magnum.openstack.org',
            resource: 'create',
            verb: 'invoke',
            namespace: 'magnum-system',
          },
        },
      },
    ]);
  });

  test.each([
    undefined,
    '',
    'Basic Z29vZA==',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    good,
    `Bearer ${good}, Bearer ${good}`,
    'Bearer gö',
    'Bearer nonsense',
    'Bearer a.b.c',
    // Signed by nobody, and said so.
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
    `Bearer ${good}.more`,
    `Bearer ${madeUpToken(username, { exp: -301 })}`,
    `Bearer ${madeUpToken(username, { exp: 'soon' })}`,
  ])('with the header %j is refused without asking the API server', async (authorization) => {
    await expect(authorize({ authorization }).first).rejects.toThrow(UnauthenticatedError);
    expect(server.asked).toEqual([]);
  });

  test.each(['Bearer ', 'bearer ', 'BEARER   '])('may write %j before the token', async (scheme) => {
    await authorize({ authorization: `${scheme}${good}` }).first;
  });

  test('whose token has expired less than the clocks may differ is checked by the API server', async () => {
    const token = madeUpToken(username, { exp: -299 });
    await expect(authorize({ authorization: `Bearer ${token}` }).first).rejects.toThrow(UnauthenticatedError);
    expect(server.asked).toMatchObject([{ spec: { token } }]);
  });

  test('with an unknown token is refused for 5 s without asking again', async () => {
    const { first, authorizeAgain } = authorize({ authorization: `Bearer ${bad}` });
    await expect(first).rejects.toThrow(UnauthenticatedError);
    server.tokens.set(bad, { username, audiences: ['magnum-functions'] });
    now = 4999;
    await expect(authorizeAgain()).rejects.toThrow(UnauthenticatedError);
    expect(server.asked).toHaveLength(1);
    now = 5000;
    await authorizeAgain();
  });

  test('without the right to invoke is refused for 5 s without asking again', async () => {
    server.grants.clear();
    const { first, authorizeAgain } = authorize();
    await expect(first).rejects.toThrow(ForbiddenError);
    server.grants.add(`${username} invoke create`);
    now = 4999;
    await expect(authorizeAgain()).rejects.toThrow(ForbiddenError);
    expect(server.asked).toHaveLength(2);
    now = 5000;
    await authorizeAgain();
  });

  test('is checked beside no more than seven others', async () => {
    let running = 0;
    let most = 0;
    const { createTokenReview } = server.api;
    const { authorizeAgain } = authorize(
      {},
      {
        async createTokenReview(review) {
          running += 1;
          most = Math.max(most, running);
          return createTokenReview(review).finally(() => {
            running -= 1;
          });
        },
      },
    );
    const many = Array.from({ length: 50 }, (_, index) => `Bearer ${madeUpToken(`nobody-${index}`)}`);
    const refused = await Promise.allSettled(many.map((authorization) => authorizeAgain({ authorization })));
    expect(refused.filter(({ status }) => status === 'rejected')).toHaveLength(50);
    expect(most).toBe(8);
  });

  test('with a token for the API server itself is refused', async () => {
    server.tokens.set(good, { username, audiences: ['https://kubernetes.default.svc'] });
    await expect(authorize().first).rejects.toThrow(UnauthenticatedError);
  });

  test.each([
    ['knows no audiences', { authenticated: true, user: { username } }],
    ['names another audience', { authenticated: true, audiences: ['x'], user: { username } }],
    ['names nobody', { authenticated: true, audiences: ['magnum-functions'], user: {} }],
    ['says nothing', undefined],
    ['says yes in other words', { authenticated: 'true', audiences: ['magnum-functions'], user: { username } }],
  ])('is refused when the API server %s', async (_title, status) => {
    server.script.push({ status: 201, body: JSON.stringify({ status }) });
    await expect(authorize().first).rejects.toThrow(UnauthenticatedError);
  });

  test('who may invoke another function only is refused', async () => {
    await expect(authorize({ functionName: 'delete' }).first).rejects.toThrow(ForbiddenError);
  });

  test('who may deliver but not invoke is refused', async () => {
    server.grants.clear();
    server.grants.add(`${username} deliver create`);
    await expect(authorize().first).rejects.toThrow(ForbiddenError);
  });

  test.each([
    ['is down', { status: 500, body: '{}' }],
    ['does not let the function ask', { status: 403, body: '{"kind":"Status","message":"forbidden"}' }],
    ['answers with a page', { status: 200, body: '<html>' }],
  ])('is told to try again when the API server %s', async (_title, answer) => {
    server.script.push(...Array.from({ length: 10 }, () => answer));
    const error = await authorize().first.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DependencyError);
    expect(error).toBeInstanceOf(DriverError);
    expect(String(error)).not.toContain(good);
  });
});

describe('a success', () => {
  test('holds for less than 60 s', async () => {
    const { first, authorizeAgain } = authorize();
    await first;
    server.grants.clear();
    now = 59_999;
    await authorizeAgain();
    expect(server.asked).toHaveLength(2);
    now = 60_000;
    await expect(authorizeAgain()).rejects.toThrow(ForbiddenError);
  });

  test('does not hold for another function, another token or another sender', async () => {
    const { first, authorizeAgain } = authorize({}, { brokers: { audience: 'magnum-functions' } });
    await first;
    await expect(authorizeAgain({ functionName: 'delete' })).rejects.toThrow(ForbiddenError);
    await expect(authorizeAgain({ authorization: `Bearer ${bad}` })).rejects.toThrow(UnauthenticatedError);
    await expect(authorizeAgain({ sender: 'broker' })).rejects.toThrow(ForbiddenError);
  });

  test('of one serves all that ask at the same time', async () => {
    const { first, authorizeAgain } = authorize();
    await Promise.all([first, authorizeAgain(), authorizeAgain()]);
    expect(server.asked).toHaveLength(2);
  });
});

describe('a broker', () => {
  const trigger = 'system:serviceaccount:magnum-system:status-oidc-trigger';

  test('needs no token where the network keeps others out', async () => {
    await authorize({ sender: 'broker', authorization: undefined }).first;
    expect(server.asked).toEqual([]);
  });

  test('needs a token of its own audience and the right to deliver where it can send one', async () => {
    server.tokens.set(madeUpToken(trigger), { username: trigger, audiences: ['status-audience'] });
    const broker = {
      sender: 'broker',
      functionName: 'status',
      authorization: `Bearer ${madeUpToken(trigger)}`,
    } as const;
    const { first, authorizeAgain } = authorize(broker, { brokers: { audience: 'status-audience' } });
    await expect(first).rejects.toThrow(ForbiddenError);
    server.grants.add(`${trigger} deliver status`);
    now = 5000;
    await authorizeAgain();
    await expect(authorizeAgain({ authorization: undefined })).rejects.toThrow(UnauthenticatedError);
    await expect(authorizeAgain({ authorization: `Bearer ${good}` })).rejects.toThrow(UnauthenticatedError);
  });
});
