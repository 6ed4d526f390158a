import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { demoCredential, demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { listFlavors } from './compute.ts';
import { AuthenticationError, OpenStackError, ServiceMissingError, UnavailableError } from './errors.ts';
import { deleteServerGroup } from './server-group.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';

let cloud: SimulatedOpenStack;
const sessions: Session[] = [];

beforeAll(async () => {
  cloud = await startSimulatedOpenStack();
});

afterEach(() => {
  cloud.faults.clear();
  cloud.requests.length = 0;
  for (const session of sessions.splice(0)) session.close();
});

afterAll(() => cloud.stop());

function opened(session: Session): Session {
  sessions.push(session);
  return session;
}

function open(options: SessionOptions): Session {
  return opened(openSession(options));
}

function demoPassword(): string {
  return cloud.state.users.find(({ name }) => name === 'demo')!.password;
}

test('A token is used as it is and Keystone tells whose it is', async () => {
  const session = opened(demoSession(cloud));
  const { user, project, roles, methods, applicationCredential } = await session.authentication();
  expect([user.name, project?.name, project?.domainName]).toEqual(['demo', 'demo', 'Default']);
  expect([roles, methods, applicationCredential]).toEqual([['member', 'reader'], ['password'], null]);
  await listFlavors(session);
  expect(cloud.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
});

test.each([true, false])(
  'A token of an application credential says whether that is restricted: %s',
  async (restricted) => {
    const token = cloud.issueToken({ user: 'demo', project: 'demo', restricted });
    const session = open({ auth: { kind: 'token', authUrl: cloud.authUrl, token } });
    expect((await session.authentication()).applicationCredential?.restricted).toBe(restricted);
  },
);

test.each(['', '/', '/v3', '/v3/', '//', '/v2.0'])('Keystone is found where its URL ends in "%s"', async (ending) => {
  const auth = demoCredential(cloud);
  const session = open({ auth: { ...auth, authUrl: `${auth.authUrl}${ending}` } });
  expect((await session.authentication()).methods).toEqual(['application_credential']);
});

test('A password signs in to a project, each by name or by id', async () => {
  const domain = { name: 'Default' };
  const ids = { user: cloud.state.users[0]!.id, project: cloud.state.projects[0]!.id };
  const names = { name: 'demo', domain };
  for (const [user, project] of [
    [names, names],
    [{ id: ids.user }, { id: ids.project }],
  ] as const) {
    const auth = { kind: 'password', authUrl: cloud.authUrl, user, project, password: demoPassword() } as const;
    expect((await open({ auth }).authentication()).project?.id).toBe(ids.project);
  }
});

test('A wrong secret is an authentication error that does not repeat the secret', async () => {
  const secret = 'wrong-but-secret';
  cloud.faults.inject({ service: 'identity', status: 401, message: `Bad secret ${secret} for user.` });
  const session = open({ auth: { ...demoCredential(cloud), secret } });
  const error = await session.authentication().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(String(error)).toBe('AuthenticationError: OpenStack identity answered 401: Bad secret *** for user.');
  expect(cloud.requests).toHaveLength(1);
});

test.each(['', 'with space', 'line\r\nx-injected: yes', 'größe'])('The token "%s" is refused unsent', async (token) => {
  const session = open({ auth: { kind: 'token', authUrl: cloud.authUrl, token } });
  await expect(session.authentication()).rejects.toThrow(AuthenticationError);
  expect(cloud.requests).toHaveLength(0);
});

test.each(['', 'no url', 'ftp://127.0.0.1', 'http://:1'])(
  '"%s" as Keystone\'s URL is an OpenStack error',
  async (authUrl) => {
    const session = open({ auth: { kind: 'token', authUrl, token: 'abc' } });
    const error = await session.authentication().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenStackError);
    expect(error).toMatchObject({ retryable: false });
  },
);

test('A refused token is replaced once, also when many calls meet the refusal', async () => {
  const session = open({ auth: demoCredential(cloud) });
  await listFlavors(session);
  cloud.state.tokens.length = 0;
  cloud.requests.length = 0;
  await Promise.all(Array.from({ length: 5 }, () => listFlavors(session)));
  expect(cloud.requests.filter(({ service }) => service === 'identity')).toHaveLength(1);
  expect(cloud.requests.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(cloud.requests.filter(({ service, status }) => service === 'compute' && status === 200)).toHaveLength(5);
});

test('A credential that was deleted meanwhile ends in an authentication error', async () => {
  const auth = demoCredential(cloud);
  const session = open({ auth });
  await listFlavors(session);
  cloud.state.applicationCredentials = cloud.state.applicationCredentials.filter(({ id }) => id !== auth.id);
  await expect(listFlavors(session)).rejects.toThrow(AuthenticationError);
});

test('A sign-in that meets a 404 is not taken for a thing that is gone', async () => {
  cloud.faults.inject({ service: 'identity', method: 'POST', status: 404, rawBody: '<html>no such page</html>' });
  const session = open({ auth: demoCredential(cloud) });
  await expect(deleteServerGroup(session, 'any')).rejects.toThrow('OpenStack identity answered 404');
  expect(await deleteServerGroup(session, 'any')).toBe(false);
});

test('A credential that was deleted meanwhile is not taken for a thing that is gone', async () => {
  const auth = demoCredential(cloud);
  const { applicationCredentials } = cloud.state;
  applicationCredentials.splice(
    applicationCredentials.findIndex(({ id }) => id === auth.id),
    1,
  );
  const deletion = deleteServerGroup(open({ auth }), 'any');
  await expect(deletion).rejects.toThrow(AuthenticationError);
  await expect(deletion).rejects.toThrow(`Could not find Application Credential: ${auth.id}.`);
});

test('An expired token of a token session is an authentication error at once', async () => {
  const session = opened(demoSession(cloud));
  await session.authentication();
  cloud.state.tokens.length = 0;
  cloud.requests.length = 0;
  await expect(listFlavors(session)).rejects.toThrow(AuthenticationError);
  expect(cloud.requests).toHaveLength(1);
});

test('A sign-in that failed is tried again by the next call', async () => {
  cloud.faults.inject({ service: 'identity', status: 401 });
  const session = open({ auth: demoCredential(cloud) });
  await expect(session.authentication()).rejects.toThrow(AuthenticationError);
  expect((await session.authentication()).user.name).toBe('demo');
});

test('A region that the catalogue lacks is a missing service, named with its region', async () => {
  const session = opened(demoSession(cloud, { region: 'RegionTwo', interface: 'internalURL' }));
  const error = await listFlavors(session).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServiceMissingError);
  expect(String(error)).toContain('has no internal endpoint of the service compute in region "RegionTwo".');
  expect(await opened(demoSession(cloud, { region: 'RegionOne' })).endpoint('volumev3')).toContain('/volume/v3/');
});

test('A compute endpoint with the project behind its version works, microversions too', async () => {
  const compute = cloud.state.services.find(({ type }) => type === 'compute')!;
  compute.path = '/compute/v2.1/{project}';
  try {
    const session = opened(demoSession(cloud));
    expect(await listFlavors(session)).toHaveLength(4);
    expect(await session.microversions('compute')).toEqual({ min: '2.1', max: '2.96' });
  } finally {
    compute.path = '/compute/v2.1';
  }
});

test('Every exchange is reported with its path and without query or token', async () => {
  const seen: unknown[] = [];
  const session = opened(demoSession(cloud, { onRequest: (info) => seen.push(info) }));
  await listFlavors(session);
  const durationMs = expect.any(Number);
  expect(seen).toEqual([
    { service: 'identity', method: 'GET', path: '/identity/v3/auth/tokens', status: 200, durationMs, attempt: 1 },
    { service: 'compute', method: 'GET', path: '/compute/v2.1/flavors/detail', status: 200, durationMs, attempt: 1 },
  ]);
});

test("A slow service is given up after the attempt's time limit", async () => {
  cloud.faults.inject({ service: 'compute', delayMs: 60_000 });
  const session = opened(demoSession(cloud, { timeLimits: { attemptMs: 50 }, retry: { limit: 0 } }));
  await session.authentication();
  const error = await listFlavors(session).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({ retryable: true, status: undefined, code: 'unavailable' });
  expect(String(error)).toContain('OpenStack compute could not be used: no answer within 50 ms.');
});

test('A signal ends the request that is under way, and lets none begin after it', async () => {
  const controller = new AbortController();
  const session = open({ auth: demoCredential(cloud), signal: controller.signal });
  await session.authentication();
  const begun = Promise.withResolvers<void>();
  cloud.faults.inject({ service: 'compute', before: async () => begun.resolve(), delayMs: 60_000 });
  const reason = new Error('nobody waits any more');
  const listing = listFlavors(session);
  await begun.promise;
  controller.abort(reason);
  await expect(listing).rejects.toBe(reason);
  const sent = cloud.requests.length;
  await expect(listFlavors(session)).rejects.toBe(reason);
  expect(cloud.requests).toHaveLength(sent);
});

test("An answer that stops in its middle is given up after the attempt's time limit too", async () => {
  const stalling = createServer((_, outgoing) => outgoing.writeHead(200, { 'content-length': 10 }).write('{'));
  await new Promise<void>((resolve) => stalling.listen(0, '127.0.0.1', resolve));
  const { port } = stalling.address() as { port: number };
  const auth = { kind: 'token', authUrl: `http://127.0.0.1:${port}`, token: 'abc' } as const;
  const session = open({ auth, timeLimits: { attemptMs: 50 }, retry: { limit: 0 } });
  await expect(session.authentication()).rejects.toThrow('no answer within 50 ms');
  stalling.closeAllConnections();
  await new Promise((resolve) => stalling.close(resolve));
});

test.each([
  ['no JSON', '<html>It works!</html>', 'something that is no JSON'],
  ['another shape', '{"flavors": [{"id": 7}]}', 'not of the documented shape'],
  ['nothing', '', 'not of the documented shape'],
])('An answer of %s is a protocol error', async (_, rawBody, words) => {
  cloud.faults.inject({ service: 'compute', status: 200, rawBody });
  await expect(listFlavors(opened(demoSession(cloud)))).rejects.toThrow(words);
});

test('An error carries the service, the status and the id of the request', async () => {
  cloud.faults.inject({ service: 'compute', status: 403, headers: { 'x-openstack-request-id': 'req-1' } });
  const error = await listFlavors(opened(demoSession(cloud))).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'permission_denied', service: 'compute', status: 403, requestId: 'req-1' });
});
