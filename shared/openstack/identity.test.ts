import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { BadRequestError, ConflictError, PermissionError, QuotaError, UnavailableError } from './errors.ts';
import { createApplicationCredential, deleteApplicationCredential, listApplicationCredentials } from './identity.ts';
import { openSession, type Session } from './session.ts';

let cloud: SimulatedOpenStack;
let session: Session;

beforeAll(async () => {
  cloud = await startSimulatedOpenStack();
  session = demoSession(cloud);
});

afterEach(() => {
  cloud.state.applicationCredentials = [];
});

afterAll(() => {
  session.close();
  return cloud.stop();
});

function tokenSession(user: string, restricted?: boolean): Session {
  const token = cloud.issueToken({ user, project: 'demo', ...(restricted === undefined ? {} : { restricted }) });
  return openSession({ auth: { kind: 'token', authUrl: cloud.authUrl, token } });
}

test("A created credential is restricted, has the token's roles and signs in", async () => {
  const created = await createApplicationCredential(session, { name: 'kube', description: 'größe "x"' });
  const { user, project } = await session.authentication();
  const { secret, ...shown } = created;
  expect(shown).toMatchObject({
    description: 'größe "x"',
    projectId: project?.id,
    unrestricted: false,
    expiresAt: null,
  });
  const auth = { kind: 'application_credential', authUrl: cloud.authUrl, id: created.id, secret } as const;
  const own = openSession({ auth });
  expect(await own.authentication()).toMatchObject({ user, roles: ['member', 'reader'] });
  expect(await listApplicationCredentials(own, { name: 'kube' })).toEqual([shown]);
  own.close();
});

test('Roles and an expiry are passed on, and a role that the user lacks is refused', async () => {
  const expiresAt = '2030-01-01T00:00:00.000000';
  const created = await createApplicationCredential(session, { name: 'kube', roles: ['reader'], expiresAt });
  expect([created.expiresAt, cloud.state.applicationCredentials[0]?.roles]).toEqual([expiresAt, ['reader']]);
  const tooMuch = createApplicationCredential(session, { name: 'more', roles: ['admin'] });
  await expect(tooMuch).rejects.toThrow(BadRequestError);
});

test('A second credential of one name is a conflict', async () => {
  await createApplicationCredential(session, { name: 'kube' });
  await expect(createApplicationCredential(session, { name: 'kube' })).rejects.toThrow(ConflictError);
});

test('A token of a restricted credential may create none, one of an unrestricted may', async () => {
  const restricted = tokenSession('demo', true);
  const refused = createApplicationCredential(restricted, { name: 'kube' });
  await expect(refused).rejects.toThrow(PermissionError);
  await expect(refused).rejects.toThrow("Using method 'application_credential' is not allowed");
  const unrestricted = tokenSession('demo', false);
  expect((await createApplicationCredential(unrestricted, { name: 'kube' })).name).toBe('kube');
  restricted.close();
  unrestricted.close();
});

test("A user's limit of credentials is a quota error", async () => {
  cloud.state.quotas.applicationCredentials = 0;
  await expect(createApplicationCredential(session, { name: 'kube' })).rejects.toThrow(QuotaError);
  cloud.state.quotas.applicationCredentials = -1;
});

test('A creation whose answer was lost leaves the credential, so it is not sent again', async () => {
  cloud.faults.inject({ method: 'POST', path: '/application_credentials', cut: 'after' });
  await expect(createApplicationCredential(session, { name: 'kube' })).rejects.toThrow(UnavailableError);
  expect(await listApplicationCredentials(session, { name: 'kube' })).toHaveLength(1);
});

test('The owner and an administrator delete a credential by id, nobody else does', async () => {
  const { user } = await session.authentication();
  const { id } = await createApplicationCredential(session, { name: 'kube' });
  const restricted = tokenSession('demo', true);
  await expect(deleteApplicationCredential(restricted, id)).rejects.toThrow(PermissionError);
  const admin = tokenSession('admin');
  const adminsOwn = await createApplicationCredential(admin, { name: 'kube' });
  await expect(deleteApplicationCredential(session, adminsOwn.id)).rejects.toThrow(PermissionError);
  expect(await deleteApplicationCredential(admin, id, { userId: user.id })).toBe(true);
  expect(await deleteApplicationCredential(admin, id, { userId: user.id })).toBe(false);
  restricted.close();
  admin.close();
});
