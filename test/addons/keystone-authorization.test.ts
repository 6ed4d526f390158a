import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ApiError, type KubernetesApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';
import { type KeystoneApiServer, startKeystoneApiServer } from './keystone-api-server.ts';
import { type SimulatedAuthenticator, startSimulatedAuthenticator } from './simulated-authenticator.ts';

const aliceToken = 'gAAAAAB-of-alice';
const project = 'a9d0b7f6d2f14f3c8a1a4f3b9b1c2d3e';
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const pods = '/api/v1/namespaces/default/pods';
/** Milliseconds in which whom RBAC refuses hears it: nothing else was asked. */
const atOnce = 2_000;
/** Milliseconds in which a token that nobody knows is refused, however often the API server asks again. */
const bounded = 15_000;

let apiServer: KeystoneApiServer;
let authenticator: SimulatedAuthenticator | undefined;

function useApiServer(authorization: string): void {
  beforeAll(async () => {
    apiServer = await startKeystoneApiServer(authorization);
  });
  afterAll(() => apiServer.stop());
  afterEach(stopAuthenticator);
}

async function startAuthenticator(): Promise<SimulatedAuthenticator> {
  authenticator = await startSimulatedAuthenticator({
    port: apiServer.authenticatorPort,
    certificate: apiServer.authenticatorCertificate,
    users: { [aliceToken]: { username: 'alice', projectId: project, roles: ['member'] } },
    allows: (user, verb, resource) => user === 'alice' && verb === 'list' && resource === 'pods',
  });
  return authenticator;
}

async function stopAuthenticator(): Promise<void> {
  await authenticator?.close();
  authenticator = undefined;
}

/** HTTP status of the answer, and the milliseconds until it came. */
async function ask(api: KubernetesApi, ...call: Parameters<KubernetesApi['call']>) {
  const began = performance.now();
  const status = await api.call(...call).then(
    () => 200,
    (error: unknown) => {
      if (error instanceof ApiError) return error.status;
      throw error;
    },
  );
  return { status, duration: performance.now() - began };
}

const statusOf = async (...args: Parameters<typeof ask>) => (await ask(...args)).status;

const tokenRequest = z.object({ status: z.object({ token: z.string() }) });

/** A service account that no binding names. */
async function unboundAccount(name: string): Promise<KubernetesApi> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await apiServer.administrator.call('POST', accounts, { metadata: { name } });
  const answer = await apiServer.administrator.call('POST', `${accounts}/${name}/token`, { spec: {} });
  return apiServer.withToken(tokenRequest.parse(answer).status.token);
}

/** What `kubeadm init` tries with admin.conf, until it is told 403; super-admin.conf makes it then (its phases/kubeconfig). */
const firstBinding = {
  metadata: { name: 'kubeadm:cluster-admins' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'kubeadm:cluster-admins' }],
};
const kubeadmAdministrator = () => apiServer.withCertificate('kubernetes-admin', 'kubeadm:cluster-admins');

describe.each(['keystoneAuthorizationV1beta1', 'keystoneAuthorization'])(
  'with %s, before the authenticator runs',
  (patch) => {
    useApiServer(patch);

    test('kubeadm gets the 403 for which it waits, and its administrator works from the first binding on', async () => {
      const administrator = await kubeadmAdministrator();
      const refused = await ask(administrator, 'POST', bindings, firstBinding);
      expect(refused.status).toBe(403);
      expect(refused.duration).toBeLessThan(atOnce);
      const superAdministrator = await apiServer.withCertificate('kubernetes-super-admin', 'system:masters');
      expect(await statusOf(superAdministrator, 'POST', bindings, firstBinding)).toBe(200);
      await waitFor(() => administrator.call('GET', pods), { what: 'the binding to hold' });
    });

    test('an account without a binding gets 403 at once, and what RBAC gives it', async () => {
      const account = await unboundAccount('stranger');
      const refused = await ask(account, 'GET', pods);
      expect(refused.status).toBe(403);
      expect(refused.duration).toBeLessThan(atOnce);
      expect(await statusOf(account, 'GET', '/version')).toBe(200);
    });

    test('a token that nobody knows is refused in bounded time', async () => {
      const refused = await ask(apiServer.withToken(aliceToken), 'GET', pods);
      expect(refused.status).toBe(401);
      expect(refused.duration).toBeLessThan(bounded);
    });
  },
);

describe('with the authenticator', () => {
  useApiServer('keystoneAuthorization');

  test('a user of Keystone is known with what the authenticator says of him', async () => {
    await startAuthenticator();
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    expect(await apiServer.withToken(aliceToken).call('POST', path, {})).toMatchObject({
      status: {
        userInfo: {
          username: 'alice',
          groups: [project, 'system:authenticated'],
          extra: {
            'alpha.kubernetes.io/identity/project/id': [project],
            'alpha.kubernetes.io/identity/roles': ['member'],
          },
        },
      },
    });
  });

  test('a user of Keystone may do what the policy says, and nothing else', async () => {
    const { reviews } = await startAuthenticator();
    const alice = apiServer.withToken(aliceToken);
    expect(await statusOf(alice, 'GET', pods)).toBe(200);
    expect(await statusOf(alice, 'GET', '/api/v1/namespaces/default/secrets')).toBe(403);
    expect(reviews.filter(({ kind }) => kind === 'SubjectAccessReview')).toEqual([
      { kind: 'SubjectAccessReview', user: 'alice', verb: 'list', resource: 'pods' },
      { kind: 'SubjectAccessReview', user: 'alice', verb: 'list', resource: 'secrets' },
    ]);
  });

  test('nobody else is asked about', async () => {
    const { reviews } = await startAuthenticator();
    expect(await statusOf(await kubeadmAdministrator(), 'GET', pods)).toBe(403);
    expect(await statusOf(await unboundAccount('other'), 'GET', pods)).toBe(403);
    expect(await statusOf(apiServer.withToken('of-nobody'), 'GET', pods)).toBe(401);
    expect(reviews).toEqual([{ kind: 'TokenReview', token: 'of-nobody' }]);
  });

  test('when it ends, only users of Keystone notice', async () => {
    await startAuthenticator();
    const alice = apiServer.withToken(aliceToken);
    expect(await statusOf(alice, 'GET', '/version')).toBe(200);
    await stopAuthenticator();
    expect(await statusOf(alice, 'GET', '/version')).toBe(200);
    expect(await statusOf(alice, 'GET', '/api/v1/namespaces/default/configmaps')).toBe(500);
    expect(await statusOf(await unboundAccount('third'), 'GET', pods)).toBe(403);
  });
});

describe('with flags alone, as before Kubernetes 1.30', () => {
  useApiServer('keystoneAuthorizationByFlags');

  test('kubeadm gets 500 for its 403 while the authenticator does not run: the reason for the file', async () => {
    const administrator = await kubeadmAdministrator();
    expect(await statusOf(administrator, 'POST', bindings, firstBinding)).toBe(500);
    expect(await statusOf(await unboundAccount('stranger'), 'GET', pods)).toBe(500);
    const { reviews } = await startAuthenticator();
    expect(await statusOf(administrator, 'POST', bindings, firstBinding)).toBe(403);
    expect(reviews).toContainEqual(expect.objectContaining({ kind: 'SubjectAccessReview', user: 'kubernetes-admin' }));
  });

  test('a machine that joins finds the binding, and needs no authenticator', async () => {
    const { administrator } = apiServer;
    const joining = await kubeadmAdministrator();
    await administrator.call('POST', bindings, firstBinding);
    await waitFor(() => joining.call('GET', pods), { what: 'the binding to hold' });
  });
});
