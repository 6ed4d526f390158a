import { listFlavors, openSession } from 'openstack-client-ts';
import { beforeEach, expect, test } from 'vitest';
import { openClusterSession } from '../../shared/cloud/cluster-session.ts';
import { createClusterRepository } from '../../shared/kubernetes/cluster-repository.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { stackId } from '../../shared/magnum/stack-id.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { startKeystoneCloud } from '../cloud/keystone/keystone-cloud.ts';
import { waitFor } from '../env/wait-for.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { objectsOf } from '../functions/live-objects.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';

const stage = stageOfFile({}, startKeystoneCloud);

const ofDemo = { user: 'demo', project: 'demo' };

beforeEach(() => stage().cloud.faults.clear());

async function credentialsOf({ subject }: ExampleEvent) {
  const { identity, state } = stage().cloud;
  const credentials = await identity.credentialsOf(state.users[0]!.id);
  return credentials.filter(({ name }) => name.startsWith(subject));
}

function serverGroupsOf(name: string) {
  return stage().cloud.state.serverGroups.filter((group) => group.name.startsWith(name));
}

async function expectNothingLeft(event: ExampleEvent): Promise<void> {
  const { kubernetes } = stage();
  const name = stackId(event.subject, 0);
  expect(await credentialsOf(event)).toEqual([]);
  expect(serverGroupsOf(name)).toEqual([]);
  expect(await objectsOf(kubernetes, resources.secret, name)).toEqual([]);
  expect(await objectsOf(kubernetes, resources.cluster, name)).toEqual([]);
  expect(await kubernetes.find(resources.lease, { namespace, name: `cluster-${event.subject}` })).toBeUndefined();
}

/** Sends the event and gives the one sentence with which it is rejected. */
async function rejection(event: ExampleEvent): Promise<string> {
  const answer = await stage().send(event);
  expect(answer).toMatchObject({ status: 200, type: 'org.openstack.magnum.operation.rejected.v1' });
  expect(answer.data).toMatchObject({ code: 'permission_denied' });
  return String(Object(answer.data).message);
}

/** Revokes the token of the event before a request is carried out, and waits until Nova has noticed, too. */
function revokeBefore(target: { readonly service: string; readonly path: string }, event: ExampleEvent): void {
  const { cloud } = stage();
  const token = String(event.data.context['token']);
  const before = async () => {
    await cloud.identity.revokeToken(token);
    const session = openSession({ auth: { kind: 'token', authUrl: cloud.authUrl, token } });
    const asked = async () => {
      const noticed = await listFlavors(session).catch(() => 'refused');
      if (noticed !== 'refused') throw new Error('Nova takes the token');
    };
    await waitFor(asked, { what: 'Nova to refuse the token' }).finally(() => session.close());
  };
  cloud.faults.inject({ ...target, method: 'POST', before });
}

test("a create makes one restricted credential with the user's roles, by which CAPO signs in", async () => {
  const { cloud, kubernetes } = stage();
  const event = await createEvent(cloud);
  const name = acceptedStackId(await stage().send(event));
  await waitForTopology(stage().api, name);
  const secret = await createClusterRepository(kubernetes).findCloudConfig(name);
  const session = openClusterSession(secret!, () => undefined);
  const { user, project, roles, applicationCredential } = await session.authentication();
  session.close();
  const [demo] = cloud.state.users;
  expect([user.id, project?.name, roles.toSorted()]).toEqual([demo?.id, 'demo', ['member', 'reader']]);
  const [credential, ...others] = await credentialsOf(event);
  expect(others).toEqual([]);
  expect(applicationCredential).toEqual({ id: credential?.id, restricted: true });
});

test('a create that comes again keeps the credential', async () => {
  const event = await createEvent(stage().cloud);
  const name = acceptedStackId(await stage().send(event));
  const before = await credentialsOf(event);
  expect(acceptedStackId(await stage().send(event))).toBe(name);
  expect(await credentialsOf(event)).toEqual(before);
});

test('a create by a restricted application credential is rejected in one sentence, and leaves nothing', async () => {
  const token = await stage().cloud.identity.signIn({ ...ofDemo, restricted: true });
  const event = await createEvent(stage().cloud, { token });
  expect(await rejection(event)).toBe(
    'The request was made with a restricted application credential, with which Keystone lets nobody create the ' +
      "cluster's own application credential.",
  );
  await expectNothingLeft(event);
});

test('a create by an unrestricted application credential is accepted', async () => {
  const token = await stage().cloud.identity.signIn({ ...ofDemo, restricted: false });
  const event = await createEvent(stage().cloud, { token });
  acceptedStackId(await stage().send(event));
  expect(await credentialsOf(event)).toHaveLength(1);
});

test.each([
  ['was revoked', (token: string) => stage().cloud.identity.revokeToken(token)],
  ['is of a user who was removed', (_token: string, userId: string) => stage().cloud.identity.removeUser(userId)],
  ['is of a user who was disabled', (_token: string, userId: string) => stage().cloud.identity.disableUser(userId)],
])('a create whose token %s is rejected in one sentence, and leaves nothing', async (title, spoil) => {
  const { identity } = stage().cloud;
  const { id, name } = await identity.addUser({ name: title, project: 'demo', roles: ['member'] });
  const token = await identity.signIn({ user: name, project: 'demo' });
  const event = await createEvent(stage().cloud, { token });
  await spoil(token, id);
  expect(await rejection(event)).toMatch(
    /^Keystone does not accept the credential: OpenStack identity answered 40[14]: .+\.$/,
  );
  await expectNothingLeft(event);
});

test('a create whose token is revoked before its first write is rejected, and leaves nothing', async () => {
  const event = await createEvent(stage().cloud);
  revokeBefore({ service: 'compute', path: '/os-server-groups' }, event);
  expect(await rejection(event)).toContain('Keystone does not accept the credential');
  await expectNothingLeft(event);
});

test('a create whose token is revoked in the middle is rejected, and the next attempt takes what is left', async () => {
  const event = await createEvent(stage().cloud);
  revokeBefore({ service: 'identity', path: '/application_credentials' }, event);
  expect(await rejection(event)).toContain('Keystone does not accept the credential');
  expect(await credentialsOf(event)).toEqual([]);
  expect(await objectsOf(stage().kubernetes, resources.secret, stackId(event.subject, 0))).toEqual([]);
  // Nova believes a token for a second; after that it lets nobody delete them any more.
  const left = serverGroupsOf(stackId(event.subject, 0));
  const token = await stage().cloud.identity.signIn(ofDemo);
  const context = { ...event.data.context, token };
  const name = acceptedStackId(await stage().send({ ...event, data: { ...event.data, context } }));
  expect(serverGroupsOf(name)).toHaveLength(2);
  expect(serverGroupsOf(name)).toEqual(expect.arrayContaining(left));
  expect(await credentialsOf(event)).toHaveLength(1);
});
