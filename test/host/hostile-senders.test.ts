import { describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { madeUpToken } from '../../shared/host/testing/made-up-token.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';
import { createEvent } from '../functions/create-event.ts';
import { acceptedStackId, sendEvent } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { attackedFunction } from './attacked-function.ts';
import { signToken } from './service-account-token.ts';

const audience = 'magnum-functions';
const conductor = 'magnum-conductor';
const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
const serviceAccounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;

const stage = stageOfFile();
const attacked = attackedFunction(stage, 'create');

const tokenRequest = z.object({ status: z.object({ token: z.string() }) });
const tokenReviewAnswer = z.object({ status: z.object({ authenticated: z.boolean().default(false) }) });

async function tokenOf(account: string, forAudience: string): Promise<string> {
  const spec = { audiences: [forAudience] };
  const answer = await stage().api.call('POST', `${serviceAccounts}/${account}/token`, { spec });
  return tokenRequest.parse(answer).status.token;
}

const signed = (account: string, expiresIn: number) =>
  signToken(stage().api, inject('kubeconfigPath'), { account, audience, expiresIn });

/** The token of an account that is there no more. */
async function orphanedToken(): Promise<string> {
  const name = 'hostile-deleted';
  await stage().api.call('POST', serviceAccounts, { metadata: { name } });
  const token = await tokenOf(name, audience);
  await stage().api.call('DELETE', `${serviceAccounts}/${name}`);
  // The API server's authentication learns of it a moment later.
  await waitFor(() => expectUnknown(token), { what: 'the token to be unknown', interval: 500 });
  return token;
}

async function expectUnknown(token: string): Promise<void> {
  const spec = { token, audiences: [audience] };
  const review = await stage().api.call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec });
  expect(tokenReviewAnswer.parse(review).status.authenticated).toBe(false);
}

/** The token of an account that may have clusters resized, and delivers events as a broker. */
async function otherRightsToken(): Promise<string> {
  const name = 'hostile-other-rights';
  const group = 'functions.magnum.openstack.org';
  const rules = [
    { apiGroups: [group], resources: ['resize'], verbs: ['invoke'] },
    { apiGroups: [group], resources: ['create'], verbs: ['deliver'] },
  ];
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  await stage().api.call('POST', serviceAccounts, { metadata: { name } });
  await stage().api.call('POST', `${rbac}/roles`, { metadata: { name }, rules });
  await stage().api.call('POST', `${rbac}/rolebindings`, { metadata: { name }, subjects, roleRef });
  return tokenOf(name, audience);
}

/** The conductor's token with another owner's claims, under the signature of the first. */
async function forgedToken(): Promise<string> {
  const [head = '', , signature = ''] = (await tokenOf(conductor, audience)).split('.');
  const [, claims = ''] = madeUpToken(`system:serviceaccount:${namespace}:${conductor}`).split('.');
  return `${head}.${claims}.${signature}`;
}

/** Sends a create event that nothing is wrong with, but for who sends it. */
async function send(token: string | undefined) {
  return sendEvent(attacked().process.url, await createEvent(stage().cloud), token);
}

const tokenReview = 'tokenreviews';
const accessReview = 'subjectaccessreviews';

describe('a sender', () => {
  test.each<[string, () => Promise<string | undefined>, number, string[]]>([
    ['without a token', async () => undefined, 401, []],
    ['with any text as its token', async () => 'nonsense', 401, []],
    ['with 12,000 characters as its token', async () => 'x'.repeat(12_000), 401, []],
    ['with a token that nobody signed', async () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.', 401, []],
    ['with a token that expired an hour ago', () => signed(conductor, -3600), 401, []],
    ['with a token that expired two minutes ago', () => signed(conductor, -120), 401, [tokenReview]],
    ["with the conductor's name under a signature of its own", forgedToken, 401, [tokenReview]],
    ['with a token for another audience', () => tokenOf(conductor, 'somebody-else'), 401, [tokenReview]],
    ['with a token for the API server', async () => stage().access.functionToken, 401, [tokenReview]],
    ['with the token of a deleted account', orphanedToken, 401, [tokenReview]],
    [
      'with the token of an account that may not invoke',
      async () => stage().access.strangerToken,
      403,
      [tokenReview, accessReview],
    ],
    ['with the token of an account that may do all but this', otherRightsToken, 403, [tokenReview, accessReview]],
  ])('%s is refused, and asking again costs the API server nothing more', async (_title, tokenFor, status, calls) => {
    const token = await tokenFor();
    attacked().takeCalls();
    const logged = attacked().process.logLines.length;
    const answers = [await send(token), ...(await Promise.all(Array.from({ length: 19 }, () => send(token))))];
    for (const answer of answers) expect(answer.status, JSON.stringify(answer.data)).toBe(status);
    expect(attacked().takeCalls()).toEqual(calls);
    const said = JSON.stringify([answers, attacked().process.logLines.slice(logged)]);
    if (token !== undefined) for (const part of token.split('.')) expect(said).not.toContain(part.slice(0, 40) || '\0');
    expect(said).not.toMatch(/\n\s+at |\\n\s+at /);
  });

  test('with a token that the same key signed and that has not expired is let in', async () => {
    expect(await send(await signed(conductor, 600))).toMatchObject({ status: 200 });
  });

  test('that makes up a token for each request has them checked a few at a time, and others are still let in', async () => {
    attacked().takeCalls();
    const made = Array.from({ length: 200 }, (_, index) => send(madeUpToken(`nobody-${index}`)));
    const good = send(await tokenOf(conductor, audience));
    expect(await good).toMatchObject({ status: 200 });
    for (const answer of await Promise.all(made)) expect(answer.status).toBe(401);
    expect(
      attacked()
        .takeCalls()
        .filter((call) => call === tokenReview),
    ).toHaveLength(201);
  });

  test('after all of them, the conductor creates a cluster', async () => {
    acceptedStackId(await send(stage().access.callerToken));
  });
});
