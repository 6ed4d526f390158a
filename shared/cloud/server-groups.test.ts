import type { Session } from 'openstack-client-ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { deleteServerGroups, ensureServerGroups, serverGroupName } from './server-groups.ts';

let cloud: SimulatedOpenStack;
let session: Session;

beforeEach(async () => {
  cloud = await startSimulatedOpenStack();
  session = demoSession(cloud);
});

afterEach(async () => {
  session.close();
  await cloud.stop();
});

const policy = 'soft-anti-affinity';
const always = () => undefined;

test.each([
  [null, 'kube-abcde'],
  ['gpu', 'kube-abcde-gpu'],
])('the group of nodegroup %s is named %s', (nodegroup, name) => {
  expect(serverGroupName('kube-abcde', nodegroup)).toBe(name);
});

describe('server groups', () => {
  const wanted = [
    { name: 'kube-abcde', policy },
    { name: 'kube-abcde-gpu', policy },
  ] as const;

  test('are created once, however often they are asked for', async () => {
    const first = await ensureServerGroups(session, wanted, always);
    const second = await ensureServerGroups(session, wanted, always);
    expect(second).toEqual(first);
    expect(cloud.state.serverGroups).toHaveLength(2);
  });

  test('that exist twice are the same one for every attempt', async () => {
    await ensureServerGroups(session, wanted, always);
    const [group] = cloud.state.serverGroups;
    if (group === undefined) throw new Error('There is a group.');
    cloud.state.serverGroups.push({ ...group, id: `0${group.id}` });
    const found = await ensureServerGroups(session, wanted, always);
    cloud.state.serverGroups.reverse();
    expect(await ensureServerGroups(session, wanted, always)).toEqual(found);
  });

  test('are not created any more once the check before a write throws', async () => {
    const stop = () => {
      if (cloud.state.serverGroups.length === 1) throw new Error('lost');
    };
    await expect(ensureServerGroups(session, wanted, stop)).rejects.toThrow('lost');
    expect(cloud.state.serverGroups).toHaveLength(1);
  });

  test('are not deleted any more once the check before a write throws', async () => {
    await ensureServerGroups(session, wanted, always);
    const stop = () => {
      throw new Error('lost');
    };
    await expect(deleteServerGroups(session, ['kube-abcde'], stop)).rejects.toThrow('lost');
    expect(cloud.state.serverGroups).toHaveLength(2);
  });

  test('are deleted by name, and no others', async () => {
    await ensureServerGroups(session, [...wanted, { name: 'kube-other', policy }], always);
    await deleteServerGroups(session, ['kube-abcde', 'kube-abcde-gpu', 'kube-never'], always);
    expect(cloud.state.serverGroups.map(({ name }) => name)).toEqual(['kube-other']);
  });
});
