import { AuthenticationError, listFlavors, NotFoundError, type Session } from 'openstack-client-ts';
import { describe, expect, test } from 'vitest';
import { deleteApplicationCredential, listApplicationCredentials } from '../../shared/openstack/identity.ts';
import { cloudOfTests, clouds } from './clouds.ts';

const refused = 'OpenStack identity answered 401: The request you have made requires authentication.';

async function expectRefused(session: Session, message = refused): Promise<void> {
  const error = await session.authentication().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ message });
}

/** What Keystone says of an application credential that is not there. */
function gone(id: string): string {
  return `OpenStack identity answered 404: Could not find Application Credential: ${id}.`;
}

function missing(userId: string): string {
  return `OpenStack identity answered 404: Could not find user: ${userId}.`;
}

describe.each(clouds)('with a %s Keystone', (_kind, start) => {
  const stage = cloudOfTests(start);
  const domain = { id: 'default' };

  function byPassword({ name, password }: { name: string; password: string }, project = 'demo'): Session {
    const user = { name, domain };
    return stage().open({ kind: 'password', user, password, project: { name: project, domain } });
  }

  test('a token tells whose it is, what it may do and which services there are', async () => {
    const session = await stage().openByToken({ user: 'demo', project: 'demo' });
    const { user, project, roles, methods, applicationCredential, catalog } = await session.authentication();
    const { users, projects, services } = stage().cloud.state;
    const inDomain = { domainId: 'default', domainName: 'Default' };
    expect(user).toEqual({ id: users[0]!.id, name: 'demo', ...inDomain });
    expect(project).toEqual({ id: projects[0]!.id, name: 'demo', ...inDomain });
    expect(roles.toSorted()).toEqual(['member', 'reader']);
    expect([methods, applicationCredential]).toEqual([['password'], null]);
    expect(catalog.map(({ type }) => type).toSorted()).toEqual(services.map(({ type }) => type).toSorted());
    for (const offered of ['public', 'internal', 'admin'] as const) {
      expect(await session.endpoint('volumev3', { interface: offered })).toMatch(`/volume/v3/${project?.id}`);
    }
  });

  test("the other services know the token's user and project", async () => {
    const session = await stage().openByToken({ user: 'demo', project: 'demo' });
    expect(await listFlavors(session)).not.toHaveLength(0);
    const unknown = stage().open({ kind: 'token', token: 'gAAAAA-unknown' });
    await expect(listFlavors(unknown)).rejects.toThrow(AuthenticationError);
  });

  test('a password signs in by names and by ids, a wrong one does not', async () => {
    const { users, projects } = stage().cloud.state;
    const { id, name, password } = users[0]!;
    expect((await byPassword({ name, password }).authentication()).methods).toEqual(['password']);
    const byIds = stage().open({ kind: 'password', user: { id }, password, project: { id: projects[0]!.id } });
    expect((await byIds.authentication()).user.name).toBe('demo');
    await expectRefused(byPassword({ name, password: 'wrong' }));
    await expectRefused(byPassword({ name: 'nobody', password }));
  });

  test('a password opens no project on which the user has no role', async () => {
    const { users } = stage().cloud.state;
    await expectRefused(byPassword(users[0]!, 'admin'));
    await expectRefused(byPassword(users[0]!, 'nowhere'));
  });

  test.each([true, false])('an application credential says whether it is restricted: %s', async (restricted) => {
    const owner = { user: 'demo', project: 'demo' };
    const credential = await stage().cloud.identity.createCredential({ ...owner, restricted });
    const session = stage().open({ kind: 'application_credential', ...credential });
    const { methods, applicationCredential, project } = await session.authentication();
    expect(methods).toEqual(['application_credential']);
    expect(applicationCredential).toEqual({ id: credential.id, restricted });
    expect(project?.name).toBe('demo');
    await expectRefused(stage().open({ kind: 'application_credential', ...credential, secret: 'wrong' }));
    await expectRefused(
      stage().open({ kind: 'application_credential', ...credential, id: 'unknown' }),
      gone('unknown'),
    );
  });

  test('the simulated CAPO opens the project of an application credential until that is gone', async () => {
    const { identity, state } = stage().cloud;
    const credential = await identity.createCredential({ user: 'demo', project: 'demo', restricted: true });
    expect(await identity.credentialProject(credential)).toBe(state.projects[0]!.id);
    expect(await identity.credentialProject({ ...credential, secret: 'wrong' })).toBeNull();
    await deleteApplicationCredential(await stage().openByToken({ user: 'demo', project: 'demo' }), credential.id);
    await expect.poll(() => identity.credentialProject(credential), { timeout: 5_000 }).toBeNull();
  });

  test.each(['removed', 'disabled'] as const)('a user who is %s can do nothing any more', async (how) => {
    const { identity } = stage().cloud;
    const user = await stage().newMember();
    const request = { user: user.name, project: 'demo' };
    const credential = await identity.createCredential({ ...request, restricted: true });
    const token = await identity.signIn(request);
    const byToken = stage().open({ kind: 'token', token });
    await byToken.authentication();
    await (how === 'removed' ? identity.removeUser(user.id) : identity.disableUser(user.id));
    await expectRefused(byPassword(user));
    const message = how === 'removed' ? gone(credential.id) : refused;
    await expectRefused(stage().open({ kind: 'application_credential', ...credential }), message);
    await expect(listApplicationCredentials(byToken)).rejects.toThrow(
      how === 'removed' ? NotFoundError : AuthenticationError,
    );
    await expectRefused(stage().open({ kind: 'token', token }), how === 'removed' ? missing(user.id) : refused);
    const left = how === 'removed' ? [] : [credential.id];
    expect((await identity.credentialsOf(user.id)).map(({ id }) => id)).toEqual(left);
  });

  test('a project that is disabled can be used by nobody any more', async () => {
    const { identity } = stage().cloud;
    const project = await identity.addProject('closing');
    const user = await stage().newMember('closing');
    const request = { user: user.name, project: 'closing' };
    const credential = await identity.createCredential({ ...request, restricted: true });
    const token = await identity.signIn(request);
    const byToken = stage().open({ kind: 'token', token });
    await byToken.authentication();
    await identity.disableProject(project.id);
    await expectRefused(byPassword(user, 'closing'));
    const closed = `OpenStack identity answered 404: Unable to validate token because project ${project.id} is disabled.`;
    await expectRefused(stage().open({ kind: 'application_credential', ...credential }), closed);
    await expectRefused(stage().open({ kind: 'token', token }), closed);
    await expect(listApplicationCredentials(byToken)).rejects.toThrow(AuthenticationError);
    await expect(deleteApplicationCredential(byToken, credential.id)).rejects.toThrow(AuthenticationError);
  });

  test('a user who loses a role keeps application credentials that open nothing', async () => {
    const { identity, state } = stage().cloud;
    const user = await stage().newMember();
    const credential = await identity.createCredential({ user: user.name, project: 'demo', restricted: true });
    await identity.removeRole(user.id, state.projects[0]!.id, 'member');
    expect(await identity.credentialsOf(user.id)).toHaveLength(1);
    await expectRefused(stage().open({ kind: 'application_credential', ...credential }));
  });

  test('a token that is revoked in the middle ends its session with a readable error', async () => {
    const token = await stage().cloud.identity.signIn({ user: 'demo', project: 'demo' });
    const session = stage().open({ kind: 'token', token });
    await listApplicationCredentials(session);
    await stage().cloud.identity.revokeToken(token);
    const error = await listApplicationCredentials(session).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ message: refused });
  });

  test('the other services notice within moments that a token was revoked', async () => {
    const token = await stage().cloud.identity.signIn({ user: 'demo', project: 'demo' });
    const session = stage().open({ kind: 'token', token });
    await listFlavors(session);
    await stage().cloud.identity.revokeToken(token);
    const noticed = () => listFlavors(session).catch((error: unknown) => Object(error).code);
    await expect.poll(noticed, { timeout: 5_000 }).toBe('authentication_failed');
  });

  test('a session of an application credential replaces a token that was revoked', async () => {
    const owner = { user: 'demo', project: 'demo' };
    const credential = await stage().cloud.identity.createCredential({ ...owner, restricted: true });
    const session = stage().open({ kind: 'application_credential', ...credential });
    const tokens = stage().watchTokens();
    await listApplicationCredentials(session);
    await stage().cloud.identity.revokeToken(tokens[0]!);
    expect(await listApplicationCredentials(session)).not.toHaveLength(0);
    const [first, refusedOne, replaced] = tokens;
    expect(tokens).toHaveLength(3);
    expect(refusedOne).toBe(first);
    expect(replaced).not.toBe(first);
  });
});
