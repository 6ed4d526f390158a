import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SimulatedOpenStack, startSimulatedOpenStack } from './simulated-openstack.ts';

let cloud: SimulatedOpenStack;
let now = Date.UTC(2026, 0, 1);

beforeAll(async () => {
  cloud = await startSimulatedOpenStack({ computeMicroversion: '2.64', tokenLifetimeMs: 60_000, now: () => now });
});

afterAll(() => cloud.stop());

async function ask(path: string, options: { token?: string; body?: string; headers?: Record<string, string> } = {}) {
  const { token, body, headers } = options;
  const method = body === undefined ? 'GET' : 'POST';
  const auth = token === undefined ? {} : { 'x-auth-token': token };
  const url = new URL(path, cloud.authUrl);
  const sent = { 'content-type': 'application/json', ...auth, ...headers };
  const answer = await fetch(url, { method, headers: sent, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: Object(await answer.json()) };
}

function demoToken(): string {
  return cloud.issueToken({ user: 'demo', project: 'demo' });
}

const unauthorized = {
  code: 401,
  title: 'Unauthorized',
  message: 'The request you have made requires authentication.',
};

test.each(['/identity/v3/auth/tokens', '/compute/v2.1/flavors/detail', '/network/v2.0/networks'])(
  'Without a token %s answers in the words of keystonemiddleware',
  async (path) => {
    expect(await ask(path)).toEqual({ status: 401, body: { error: unauthorized } });
    expect(await ask(path, { token: 'gAAAAABwrong' })).toEqual({ status: 401, body: { error: unauthorized } });
  },
);

test('Without a token Glance answers in words of its own', async () => {
  const { status, body } = await ask('/image/v2/images');
  expect([status, body]).toMatchObject([401, { code: '401 Unauthorized', title: 'Unauthorized' }]);
});

test('A token ends with its lifetime', async () => {
  const token = demoToken();
  expect((await ask('/compute/v2.1/flavors/detail', { token })).status).toBe(200);
  now += 60_000;
  expect((await ask('/compute/v2.1/flavors/detail', { token })).status).toBe(401);
});

test.each([
  ['/compute/v2.1/flavors/none', { itemNotFound: { code: 404, message: 'Flavor none could not be found.' } }],
  [
    '/network/v2.0/networks/none',
    { NeutronError: { type: 'NetworkNotFound', message: 'Network none could not be found.', detail: '' } },
  ],
  ['/load-balancer/v2/lbaas/loadbalancers/none', { faultcode: 'Client', faultstring: 'Load Balancer none not found.' }],
  [
    '/identity/v3/users/x/application_credentials/none',
    { error: { code: 404, title: 'Not Found', message: 'Could not find Application Credential: none.' } },
  ],
  [
    '/image/v2/images/none',
    { code: '404 Not Found', title: 'Not Found', message: 'No image found with ID none<br /><br />\n\n\n' },
  ],
])("What is missing at %s is refused in the service's envelope", async (path, body) => {
  expect(await ask(path, { token: demoToken() })).toEqual({ status: 404, body });
});

test("Another user's credential is not created, and a foreign project's volumes are not shown", async () => {
  const admin = cloud.state.users.find(({ name }) => name === 'admin')!.id;
  const body = JSON.stringify({ application_credential: { name: 'x' } });
  const refused = await ask(`/identity/v3/users/${admin}/application_credentials`, { token: demoToken(), body });
  expect(refused.status).toBe(403);
  expect((await ask('/volume/v3/other/types', { token: demoToken() })).status).toBe(400);
});

test.each([
  ['compute 2.65', 406, 'Version 2.65 is not supported by the API. Minimum is 2.1 and maximum is 2.64.'],
  ['compute x', 400, 'API Version String x is of invalid format. Must be of format MajorNum.MinorNum.'],
])('The microversion "%s" is refused with %i', async (version, status, message) => {
  const headers = { 'openstack-api-version': version };
  const answer = await ask('/compute/v2.1/os-server-groups', { token: demoToken(), headers });
  expect([answer.status, Object.values(answer.body)]).toEqual([status, [{ code: status, message }]]);
});

const single = { server_group: { name: 'x', policy: 'affinity' } };
const listed = { server_group: { name: 'x', policies: ['affinity'] } };

test.each([
  ['policies', '2.64', JSON.stringify(listed)],
  ['policy', '2.63', JSON.stringify(single)],
  ['a soft policy', '2.14', JSON.stringify({ server_group: { name: 'x', policies: ['soft-affinity'] } })],
  ['two policies', '2.15', JSON.stringify({ server_group: { name: 'x', policies: ['affinity', 'anti-affinity'] } })],
  ['an unknown field', '2.64', JSON.stringify({ server_group: { ...single.server_group, size: 1 } })],
  ['no name', '2.64', JSON.stringify({ server_group: { policy: 'affinity' } })],
  ['no JSON', '2.64', '{'],
])('A server group with %s at %s is malformed', async (_, version, body) => {
  const headers = { 'openstack-api-version': `compute ${version}` };
  expect((await ask('/compute/v2.1/os-server-groups', { token: demoToken(), body, headers })).status).toBe(400);
  expect(cloud.state.serverGroups).toEqual([]);
});

test('An injected fault hits the requests that it names, as often as it says, and is logged', async () => {
  cloud.requests.length = 0;
  cloud.faults.inject({ service: 'compute', path: /flavors/, status: 429, times: 2, headers: { 'retry-after': '3' } });
  const statuses: number[] = [];
  for (const path of ['/image/v2/images', ...Array.from({ length: 3 }, () => '/compute/v2.1/flavors/detail')]) {
    statuses.push((await ask(path, { token: demoToken() })).status);
  }
  expect(statuses).toEqual([200, 429, 429, 200]);
  expect(cloud.requests.map(({ status }) => status)).toEqual(statuses);
});

test('A connection cut after the work leaves the work done', async () => {
  cloud.faults.inject({ method: 'POST', cut: 'after' });
  const headers = { 'openstack-api-version': 'compute 2.64' };
  const body = JSON.stringify(single);
  await expect(ask('/compute/v2.1/os-server-groups', { token: demoToken(), body, headers })).rejects.toThrow();
  expect(cloud.state.serverGroups).toHaveLength(1);
});

test('Secrets differ from run to run', async () => {
  const other = await startSimulatedOpenStack();
  const all = [...cloud.state.users, ...other.state.users].map(({ password }) => password);
  expect(new Set(all).size).toBe(6);
  await other.stop();
});
