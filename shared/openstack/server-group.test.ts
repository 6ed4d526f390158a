import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { AmbiguousError, BadRequestError, QuotaError } from './errors.ts';
import { createServerGroup, deleteServerGroup, findServerGroup, listServerGroups } from './server-group.ts';
import type { Session } from './session.ts';

describe.each([
  ['2.96', '2.64'],
  ['2.64', '2.64'],
  ['2.63', '2.15'],
  ['2.15', '2.15'],
])('Against a Nova up to %s', (computeMicroversion, spoken) => {
  let cloud: SimulatedOpenStack;
  let session: Session;

  beforeAll(async () => {
    cloud = await startSimulatedOpenStack({ computeMicroversion, pageLimit: 10 });
    session = demoSession(cloud);
  });

  beforeEach(() => {
    cloud.state.serverGroups = [];
    cloud.requests.length = 0;
  });

  afterAll(() => {
    session.close();
    return cloud.stop();
  });

  test('a group is created, found by name and id, and deleted once', async () => {
    const group = await createServerGroup(session, { name: 'kube-abcde', policy: 'soft-anti-affinity' });
    expect(group).toMatchObject({ name: 'kube-abcde', policy: 'soft-anti-affinity', members: [] });
    expect(await findServerGroup(session, 'kube-abcde')).toEqual(group);
    expect(await findServerGroup(session, group.id)).toEqual(group);
    expect([await deleteServerGroup(session, group.id), await deleteServerGroup(session, group.id)]).toEqual([
      true,
      false,
    ]);
    const asked = cloud.requests.filter(({ path, method }) => path.endsWith('groups') && method !== 'DELETE');
    expect(new Set(asked.map(({ microversion }) => microversion))).toEqual(new Set([`compute ${spoken}`]));
  });

  test('the version document is read once for all calls', async () => {
    const fresh = demoSession(cloud);
    await Promise.all([listServerGroups(fresh), listServerGroups(fresh)]);
    expect(cloud.requests.filter(({ path }) => path === '/compute/v2.1/')).toHaveLength(1);
    fresh.close();
  });

  test.each([0, 9, 10, 25])('all %i groups are listed', async (count) => {
    cloud.state.quotas.serverGroups = 50;
    for (let index = 0; index < count; index++) {
      await createServerGroup(session, { name: `group-${index}`, policy: 'affinity' });
    }
    expect(await listServerGroups(session)).toHaveLength(count);
  });

  test('an administrator lists those of all projects where he asks for them', async () => {
    const group = await createServerGroup(session, { name: 'kube-abcde', policy: 'affinity' });
    const token = cloud.issueToken({ user: 'admin', project: 'admin' });
    const admin = demoSession(cloud, { auth: { kind: 'token', authUrl: cloud.authUrl, token } });
    expect(await listServerGroups(admin)).toEqual([]);
    expect(await listServerGroups(admin, { allProjects: true })).toEqual([group]);
    expect(await listServerGroups(session, { allProjects: true })).toEqual([group]);
    expect(await deleteServerGroup(admin, group.id)).toBe(true);
    admin.close();
  });

  test("a used-up quota is a quota error in Nova's words", async () => {
    cloud.state.quotas.serverGroups = 0;
    const error = await createServerGroup(session, { name: 'x', policy: 'affinity' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(QuotaError);
    expect(String(error)).toContain('OpenStack compute answered 403: Quota exceeded, too many server groups.');
    cloud.state.quotas.serverGroups = 10;
  });

  test('two groups of one name are ambiguous', async () => {
    const group = { name: 'twice', policy: 'affinity' } as const;
    await Promise.all([createServerGroup(session, group), createServerGroup(session, group)]);
    await expect(findServerGroup(session, 'twice')).rejects.toThrow(AmbiguousError);
  });
});

test('A Nova before 2.15 refuses the soft policies itself', async () => {
  const cloud = await startSimulatedOpenStack({ computeMicroversion: '2.14' });
  const session = demoSession(cloud);
  const soft = createServerGroup(session, { name: 'x', policy: 'soft-affinity' });
  await expect(soft).rejects.toThrow(BadRequestError);
  expect(await createServerGroup(session, { name: 'x', policy: 'affinity' })).toMatchObject({ policy: 'affinity' });
  session.close();
  await cloud.stop();
});

test('A version document that failed is read again by the next call', async () => {
  const cloud = await startSimulatedOpenStack();
  const session = demoSession(cloud, { retry: { limit: 0 } });
  cloud.faults.inject({ path: '/compute/v2.1/', status: 503 });
  await expect(listServerGroups(session)).rejects.toThrow('answered 503');
  expect(await listServerGroups(session)).toEqual([]);
  session.close();
  await cloud.stop();
});
