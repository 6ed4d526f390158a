import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import {
  type HostUnderTest,
  hostUnderTest,
  requestData,
  requestHeaders,
} from '../../shared/host/testing/host-under-test.ts';
import { createTokenAuthenticator } from '../../shared/host/token-authenticator.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';

const namespace = 'magnum-system';
const rbac = 'rbac.authorization.k8s.io';
const names = {
  functions: 'host-functions',
  caller: 'host-caller',
  stranger: 'host-stranger',
  trigger: 'host-trigger',
};

let api: KubernetesApi;
let client: KubernetesClient;
let host: HostUnderTest;

beforeAll(async () => {
  const connection = { server: inject('server'), caCertificate: inject('caCertificate') };
  api = connectApi({ ...connection, token: inject('adminToken') });
  for (const name of Object.values(names)) {
    await api.call('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name } });
  }
  await bind('clusterrolebindings', 'system:auth-delegator', names.functions);
  await grant(names.caller, 'invoke');
  await grant(names.trigger, 'deliver');
  const functionsToken = await tokenOf(names.functions);
  client = createKubernetesClient({ ...connection, token: async () => functionsToken });
  const authenticator = createTokenAuthenticator({
    createTokenReview: (review) => client.create(resources.tokenReview, review),
    createSubjectAccessReview: (review) => client.create(resources.subjectAccessReview, review),
    brokers: { audience: 'triggers' },
    now: () => new Date(),
  });
  host = await hostUnderTest({ authenticator });
});

afterAll(async () => {
  await host.close();
  client.close();
  for (const name of Object.values(names)) {
    await api.call('DELETE', `/api/v1/namespaces/${namespace}/serviceaccounts/${name}`);
  }
  api.close();
});

async function bind(kind: string, role: string, account: string): Promise<void> {
  const path =
    kind === 'rolebindings' ? `/apis/${rbac}/v1/namespaces/${namespace}/${kind}` : `/apis/${rbac}/v1/${kind}`;
  await api.call('POST', path, {
    metadata: { name: account },
    roleRef: { apiGroup: rbac, kind: kind === 'rolebindings' ? 'Role' : 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  });
}

/** Lets an account do this with the function `create`. */
async function grant(account: string, verb: string): Promise<void> {
  const rules = [{ apiGroups: ['functions.magnum.openstack.org'], resources: ['create'], verbs: [verb] }];
  await api.call('POST', `/apis/${rbac}/v1/namespaces/${namespace}/roles`, { metadata: { name: account }, rules });
  await bind('rolebindings', account, account);
}

const tokenRequest = z.object({ status: z.object({ token: z.string() }) });

async function tokenOf(account: string, ...audiences: string[]): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const spec = audiences.length === 0 ? {} : { audiences };
  return tokenRequest.parse(await api.call('POST', path, { spec })).status.token;
}

const reference = { 'ce-type': 'dev.knative.apiserver.ref.update' };

describe('on a real API server', () => {
  test.each([
    ['a caller with its grant', names.caller, ['magnum-functions'], {}, 200],
    ['a caller whose token is for more than these functions', names.caller, ['other', 'magnum-functions'], {}, 200],
    ['a caller with a token for the API server', names.caller, [], {}, 401],
    ['a caller with a token for Triggers', names.caller, ['triggers'], {}, 401],
    ['an account without a grant', names.stranger, ['magnum-functions'], {}, 403],
    ['a Trigger that sends a request', names.trigger, ['magnum-functions'], {}, 403],
    ['a Trigger', names.trigger, ['triggers'], reference, 204],
    ['a caller that sends an event of a source', names.caller, ['triggers'], reference, 403],
  ])('%s gets its answer', async (_title, account, audiences, headers, status) => {
    const authorization = `Bearer ${await tokenOf(account, ...audiences)}`;
    const body = JSON.stringify(requestData);
    expect(await host.send({ headers: { ...requestHeaders, ...headers, authorization }, body })).toMatchObject({
      status,
    });
    expect(host.log.join('')).not.toContain(authorization.slice(20, 60));
  });

  test.each(['Bearer nonsense', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'])(
    '%s is refused',
    async (authorization) => {
      expect(await host.invoke({ authorization })).toMatchObject({ status: 401 });
    },
  );

  test('the token of an account that was deleted is refused', async () => {
    const account = 'host-deleted';
    await api.call('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: account } });
    const authorization = `Bearer ${await tokenOf(account, 'magnum-functions')}`;
    expect(await host.invoke({ authorization })).toMatchObject({ status: 403 });
    await api.call('DELETE', `/api/v1/namespaces/${namespace}/serviceaccounts/${account}`);
    await expect.poll(() => host.invoke({ authorization }), { timeout: 30_000 }).toMatchObject({ status: 401 });
  });
});
