import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { CreatedCluster } from '../functions/created-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';
import {
  cloudConfigOf,
  colleague,
  credentialsOf,
  expectOneCredential,
  expectSignIn,
  machineParts,
  ownedCluster,
  owner,
  rotationBy,
  statusAsked,
  untilRotated,
} from './rotation-stage.ts';

const stage = stageOfFile();

async function rejected(event: Parameters<ReturnType<typeof stage>['send']>[0]): Promise<unknown> {
  const answer = await stage().send(event);
  expect(answer).toMatchObject({ status: 200, type: 'org.openstack.magnum.operation.rejected.v1' });
  return answer.data;
}

describe('a rotation', () => {
  test.each([
    ['by the owner', async () => owner(stage().cloud)],
    ['by another user of the project', () => colleague(stage().cloud, 'colleague')],
  ])('%s gives the cluster a new credential, and rebuilds nothing', async (_title, user) => {
    const cluster = await ownedCluster(stage());
    await waitForTopology(stage().api, cluster.stackId);
    const before = await cloudConfigOf(stage(), cluster.stackId);
    const parts = await machineParts(stage(), cluster.stackId);
    const asking = await user();
    expect(acceptedStackId(await stage().send(await rotationBy(stage().cloud, cluster, asking)))).toBe(cluster.stackId);
    const after = await cloudConfigOf(stage(), cluster.stackId);
    expect(after.id).not.toBe(before.id);
    expect(after.object.metadata?.uid).toBe(before.object.metadata?.uid);
    const replaced = [{ id: before.id, userId: owner(stage().cloud).id }];
    const { serverGroups } = before.record;
    expect(after.record).toMatchObject({ userId: asking.id, replacedCredentials: replaced, serverGroups });
    await expectSignIn(stage(), cluster.stackId);
    expect((await credentialsOf(stage().cloud, cluster.magnum.uuid)).toSorted()).toEqual(
      [before.id, after.id].toSorted(),
    );
    expect(await machineParts(stage(), cluster.stackId)).toEqual(parts);
  });

  test('ends with the old credential, once nothing uses it, and is shown as an update', async () => {
    const cluster = await ownedCluster(stage());
    acceptedStackId(await stage().send(await rotationBy(stage().cloud, cluster)));
    expect(await statusAsked(stage(), cluster)).toMatchObject({ action: 'UPDATE' });
    await untilRotated(stage(), cluster);
    await expectOneCredential(stage(), cluster);
  });

  test('that is sent again changes nothing more, before its end and after it', async () => {
    const cluster = await ownedCluster(stage());
    const event = await rotationBy(stage().cloud, cluster);
    acceptedStackId(await stage().send(event));
    const { id, object } = await cloudConfigOf(stage(), cluster.stackId);
    acceptedStackId(await stage().send(event));
    expect((await cloudConfigOf(stage(), cluster.stackId)).object).toEqual(object);
    await untilRotated(stage(), cluster);
    acceptedStackId(await stage().send(event));
    expect((await cloudConfigOf(stage(), cluster.stackId)).id).toBe(id);
    await expectOneCredential(stage(), cluster);
  });

  test('that follows another one keeps all credentials until the end', async () => {
    const cluster = await ownedCluster(stage());
    for (const _ of [1, 2]) acceptedStackId(await stage().send(await rotationBy(stage().cloud, cluster)));
    expect(await credentialsOf(stage().cloud, cluster.magnum.uuid)).toHaveLength(3);
    await untilRotated(stage(), cluster);
    await expectOneCredential(stage(), cluster);
  });

  test('at the same time as another one waits for it', async () => {
    const cluster = await ownedCluster(stage());
    const user = await colleague(stage().cloud, 'at-once');
    const events = await Promise.all([undefined, user].map((one) => rotationBy(stage().cloud, cluster, one)));
    const answers = await Promise.all(events.map((event) => stage().send(event)));
    // The older of them may come last, and then is none any more.
    expect(answers.map(({ type }) => type)).toContain('org.openstack.magnum.operation.accepted.v1');
    for (const { status } of answers) expect(status).toBe(200);
    await untilRotated(stage(), cluster);
    await expectOneCredential(stage(), cluster);
  });

  test('that is older than the last one is rejected', async () => {
    const cluster = await ownedCluster(stage());
    const late = await rotationBy(stage().cloud, cluster);
    acceptedStackId(await stage().send(await rotationBy(stage().cloud, cluster)));
    expect(await rejected({ ...late, time: '2026-01-01T00:00:00Z' })).toMatchObject({ code: 'superseded' });
  });
});

describe('a rotation is refused before anything is written', () => {
  async function untouched(cluster: CreatedCluster, check: () => Promise<void>): Promise<void> {
    const before = await cloudConfigOf(stage(), cluster.stackId);
    await check();
    expect((await cloudConfigOf(stage(), cluster.stackId)).object).toEqual(before.object);
    expect(await credentialsOf(stage().cloud, cluster.magnum.uuid)).toEqual([before.id]);
  }

  test.each<[string, { user: string; project: string; restricted?: boolean }, string]>([
    ['with a restricted credential', { user: 'demo', project: 'demo', restricted: true }, 'restricted'],
    ['for another project', { user: 'admin', project: 'admin' }, 'project'],
  ])('%s', async (_title, request, word) => {
    const cluster = await ownedCluster(stage());
    const token = await stage().cloud.identity.signIn(request);
    await untouched(cluster, async () => {
      const answer = await rejected(cluster.magnum.rotateCredential({ token, userId: owner(stage().cloud).id }));
      expect(answer).toMatchObject({ code: 'permission_denied', message: expect.stringContaining(word) });
    });
  });

  test('with a token that Keystone does not know', async () => {
    const cluster = await ownedCluster(stage());
    await untouched(cluster, async () => {
      const answer = await rejected(cluster.magnum.rotateCredential({ token: 'gone', userId: 'somebody' }));
      expect(answer).toMatchObject({ code: 'permission_denied' });
    });
  });

  test('by a user who has not the keypair of the machines', async () => {
    const cluster = await ownedCluster(stage());
    const user = await stage().cloud.identity.addUser({ name: 'keyless', project: 'demo', roles: ['member'] });
    const event = await rotationBy(stage().cloud, cluster, user);
    await untouched(cluster, async () => {
      expect(await rejected(event)).toMatchObject({
        code: 'not_found',
        field: 'cluster.keypair',
        message: expect.stringContaining('mykey'),
        hint: expect.stringContaining('same public key'),
      });
    });
  });

  test('of a cluster that does not exist', async () => {
    const cluster = await ownedCluster(stage());
    const event = await rotationBy(stage().cloud, cluster);
    const uuid = randomUUID();
    const other = { ...event.data.cluster, uuid, stack_id: null };
    const answer = await rejected({
      ...event,
      subject: uuid,
      partitionkey: uuid,
      data: { ...event.data, cluster: other },
    });
    expect(answer).toMatchObject({ code: 'not_found' });
  });
});

describe('Keystone', () => {
  const creation = { service: 'identity', method: 'POST', path: /\/application_credentials$/ } as const;

  test('that refuses the new credential is told', async () => {
    const cluster = await ownedCluster(stage());
    const event = await rotationBy(stage().cloud, cluster);
    stage().cloud.faults.inject({ ...creation, status: 403, message: 'No more of them' });
    expect(await rejected(event)).toMatchObject({ message: expect.stringContaining('No more of them') });
    expect(await credentialsOf(stage().cloud, cluster.magnum.uuid)).toHaveLength(1);
    acceptedStackId(await stage().send({ ...event, id: `req-${randomUUID()}` }));
  });

  test.each([
    ['answers 409 once', { status: 409 }],
    ['answers 500 once', { status: 500 }],
    ['loses its answer', { cut: 'after' }],
  ] as const)('that %s delays a rotation, which leaves one credential', async (_title, fault) => {
    const cluster = await ownedCluster(stage());
    const event = await rotationBy(stage().cloud, cluster);
    stage().cloud.faults.inject({ ...creation, ...fault });
    acceptedStackId(await stage().send(event));
    expect(await credentialsOf(stage().cloud, cluster.magnum.uuid)).toHaveLength(2);
    await untilRotated(stage(), cluster);
    await expectOneCredential(stage(), cluster);
  });
});

describe('the Secret', () => {
  const reference = (stackId: string) => ({ namespace, name: `${stackId}-cloud-config` });

  test('of the original driver gets a record, and its credential goes', async () => {
    const cluster = await ownedCluster(stage());
    const { object, id, record } = await cloudConfigOf(stage(), cluster.stackId);
    await stage().kubernetes.delete(resources.secret, reference(cluster.stackId));
    const { name, labels } = object.metadata ?? {};
    const metadata = { name: name ?? '', namespace, labels: { 'cluster-uuid': labels?.['cluster-uuid'] ?? '' } };
    const { data = {} } = object;
    const original = { apiVersion: 'v1', kind: 'Secret', metadata, data } as const;
    await stage().kubernetes.create(resources.secret, original);
    acceptedStackId(await stage().send(await rotationBy(stage().cloud, cluster)));
    const taken = await cloudConfigOf(stage(), cluster.stackId);
    expect(taken.record).toMatchObject({
      projectId: record.projectId,
      serverGroups: record.serverGroups,
      replacedCredentials: [{ id, userId: owner(stage().cloud).id }],
    });
    await untilRotated(stage(), cluster);
    await expectOneCredential(stage(), cluster);
  });

  test('that is lost is made anew', async () => {
    const cluster = await ownedCluster(stage());
    const { record, id } = await cloudConfigOf(stage(), cluster.stackId);
    await stage().kubernetes.delete(resources.secret, reference(cluster.stackId));
    acceptedStackId(await stage().send(await rotationBy(stage().cloud, cluster)));
    const made = await cloudConfigOf(stage(), cluster.stackId);
    expect(made.record).toMatchObject({ serverGroups: record.serverGroups, replacedCredentials: [{ id }] });
    await untilRotated(stage(), cluster);
    await expectOneCredential(stage(), cluster);
  });
});
