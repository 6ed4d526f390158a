import { describe, expect, test } from 'vitest';
import { cloudOfEachTest } from '../../test/cloud/openstack/cloud-of-each-test.ts';
import { deleteServerGroups, ensureServerGroups, serverGroupName } from './server-groups.ts';

const demo = cloudOfEachTest();

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
    const first = await ensureServerGroups(demo.session, wanted, always);
    const second = await ensureServerGroups(demo.session, wanted, always);
    expect(second).toEqual(first);
    expect(demo.cloud.state.serverGroups).toHaveLength(2);
  });

  test('that exist twice are the same one for every attempt', async () => {
    await ensureServerGroups(demo.session, wanted, always);
    const [group] = demo.cloud.state.serverGroups;
    if (group === undefined) throw new Error('There is a group.');
    demo.cloud.state.serverGroups.push({ ...group, id: `0${group.id}` });
    const found = await ensureServerGroups(demo.session, wanted, always);
    demo.cloud.state.serverGroups.reverse();
    expect(await ensureServerGroups(demo.session, wanted, always)).toEqual(found);
  });

  test('are not created any more once the check before a write throws', async () => {
    const stop = () => {
      if (demo.cloud.state.serverGroups.length === 1) throw new Error('lost');
    };
    await expect(ensureServerGroups(demo.session, wanted, stop)).rejects.toThrow('lost');
    expect(demo.cloud.state.serverGroups).toHaveLength(1);
  });

  test('are not deleted any more once the check before a write throws', async () => {
    await ensureServerGroups(demo.session, wanted, always);
    const stop = () => {
      throw new Error('lost');
    };
    await expect(deleteServerGroups(demo.session, ['kube-abcde'], stop)).rejects.toThrow('lost');
    expect(demo.cloud.state.serverGroups).toHaveLength(2);
  });

  test('are deleted by name, and no others', async () => {
    await ensureServerGroups(demo.session, [...wanted, { name: 'kube-other', policy }], always);
    await deleteServerGroups(demo.session, ['kube-abcde', 'kube-abcde-gpu', 'kube-never'], always);
    expect(demo.cloud.state.serverGroups.map(({ name }) => name)).toEqual(['kube-other']);
  });
});
