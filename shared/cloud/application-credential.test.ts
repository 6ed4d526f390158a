import { expect, test } from 'vitest';
import { cloudOfEachTest } from '../../test/cloud/openstack/cloud-of-each-test.ts';
import {
  createClusterCredential,
  deleteUnfinishedCredentials,
  ownClusterCredentials,
} from './application-credential.ts';

const uuid = '3f0c6f0e-5a77-4c1b-9a35-6f5b0c0f9a01';

const demo = cloudOfEachTest();

const always = () => undefined;

function names(): string[] {
  return demo.cloud.state.applicationCredentials.map(({ name }) => name);
}

test('a credential is named by the cluster and the event', async () => {
  await createClusterCredential(demo.session, { uuid, eventId: 'req-1' }, always);
  expect(names()).toEqual([expect.stringMatching(new RegExp(`^${uuid}-[0-9a-f]{8}$`))]);
});

test('another attempt, of the same event or not, replaces what was left', async () => {
  const ids = new Set<string>();
  for (const eventId of ['req-1', 'req-1', 'req-2']) {
    ids.add((await createClusterCredential(demo.session, { uuid, eventId }, always)).id);
  }
  expect(ids.size).toBe(3);
  expect(names()).toHaveLength(1);
});

test("the original driver's credential and those of other clusters are left alone", async () => {
  await createClusterCredential(demo.session, { uuid: 'another', eventId: 'req-1' }, always);
  const [other] = demo.cloud.state.applicationCredentials;
  if (other === undefined) throw new Error('There is a credential.');
  demo.cloud.state.applicationCredentials.push({ ...other, id: 'original', name: uuid });
  await deleteUnfinishedCredentials(demo.session, { uuid }, always);
  expect(names()).toHaveLength(2);
});

test('what is in use, or was, is left alone', async () => {
  const live = await createClusterCredential(demo.session, { uuid, eventId: 'req-1' }, always);
  const replaced = await createClusterCredential(demo.session, { uuid, eventId: 'req-2', kept: [live.id] }, always);
  await createClusterCredential(demo.session, { uuid, eventId: 'req-3', kept: [live.id, replaced.id] }, always);
  const next = await createClusterCredential(
    demo.session,
    { uuid, eventId: 'req-3', kept: [live.id, replaced.id] },
    always,
  );
  const ids = [live.id, replaced.id, next.id];
  expect(demo.cloud.state.applicationCredentials.map(({ id }) => id)).toEqual(ids);
  expect(await ownClusterCredentials(demo.session, uuid)).toEqual(ids);
});

test("a process that has lost its Lease deletes nothing, though the list shows the new holder's credential", async () => {
  await createClusterCredential(demo.session, { uuid, eventId: 'req-1' }, always);
  const before = demo.cloud.state.applicationCredentials.map(({ id }) => id);
  const stop = () => {
    throw new Error('lost');
  };
  await expect(createClusterCredential(demo.session, { uuid, eventId: 'req-2' }, stop)).rejects.toThrow('lost');
  expect(demo.cloud.state.applicationCredentials.map(({ id }) => id)).toEqual(before);
});
