import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  createApplicationCredential,
  deleteApplicationCredential,
  listApplicationCredentials,
  PermissionError,
  parseCloud,
  type Session,
} from 'openstack-client-ts';
import { describe, expect, test } from 'vitest';
import { cloudOfTests, clouds } from './clouds.ts';

/** Milliseconds until a credential of these tests expires: enough to sign in with it before, on a busy machine too. */
const lifetimes = { simulated: 2_000, real: 6_000 };

const ofDemo = { user: 'demo', project: 'demo' };

/** As Keystone has times: UTC without a zone. */
function keystoneTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -5)}.000000`;
}

describe.each(clouds)('with a %s Keystone', (kind, start) => {
  const stage = cloudOfTests(start);

  function signedIn({ id, secret }: { readonly id: string; readonly secret: string }): Session {
    return stage().open({ kind: 'application_credential', id, secret });
  }

  async function expectError(doing: Promise<unknown>, kind: new (...args: never[]) => Error, words: string) {
    const error = await doing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect(String(error)).toContain(words);
  }

  test("a new one is restricted, has the user's roles, opens the project and is listed", async () => {
    const session = await stage().openByToken(ofDemo);
    const name = 'größe "x"';
    const created = await createApplicationCredential(session, { name, description: 'Magnum cluster (x)' });
    const { secret, ...shown } = created;
    const { user, project } = await session.authentication();
    expect(shown).toMatchObject({ name, description: 'Magnum cluster (x)', projectId: project?.id });
    expect(shown).toMatchObject({ unrestricted: false, expiresAt: null });
    expect(secret.length).toBeGreaterThan(40);
    const own = await signedIn(created).authentication();
    expect(own).toMatchObject({ user, project, applicationCredential: { id: created.id, restricted: true } });
    expect(own.roles.toSorted()).toEqual(['member', 'reader']);
    expect(await listApplicationCredentials(session, { name })).toEqual([shown]);
    expect(await listApplicationCredentials(signedIn(created), { name })).toEqual([shown]);
  });

  test('one may have fewer roles than the user, but none that the user lacks', async () => {
    const session = await stage().openByToken(ofDemo);
    const created = await createApplicationCredential(session, { name: 'reader', roles: ['reader'] });
    expect((await signedIn(created).authentication()).roles).toEqual(['reader']);
    const more = createApplicationCredential(session, { name: 'more', roles: ['admin'] });
    const words =
      'OpenStack identity answered 400: Invalid application credential: Cannot create an application credential with unassigned role.';
    await expectError(more, BadRequestError, words);
  });

  test('a second one of the same name is a conflict, for another user it is none', async () => {
    const session = await stage().openByToken(ofDemo);
    await createApplicationCredential(session, { name: 'twice' });
    const words =
      'OpenStack identity answered 409: Conflict occurred attempting to store application_credential - Duplicate entry found with name twice.';
    await expectError(createApplicationCredential(session, { name: 'twice' }), ConflictError, words);
    const other = await stage().openByToken({ user: (await stage().newMember()).name, project: 'demo' });
    expect((await createApplicationCredential(other, { name: 'twice' })).name).toBe('twice');
  });

  test.each(['', ' ', 'x'.repeat(256)])('the name "%s" is refused', async (name) => {
    const session = await stage().openByToken(ofDemo);
    await expect(createApplicationCredential(session, { name })).rejects.toThrow(BadRequestError);
  });

  test('one that expires works until then', async () => {
    const lifetime = lifetimes[kind];
    const session = await stage().openByToken(ofDemo);
    const expiresAt = keystoneTime(Date.now() + lifetime);
    const created = await createApplicationCredential(session, { name: 'brief', expiresAt });
    expect(created.expiresAt).toBe(expiresAt);
    await signedIn(created).authentication();
    const tried = () =>
      signedIn(created)
        .authentication()
        .catch((error: unknown) => Object(error).code);
    await expect.poll(tried, { timeout: 2 * lifetime, interval: 500 }).toBe('authentication_failed');
  });

  test.each([
    ['is past', keystoneTime(Date.now() - 60_000), "The 'expires_at' must not be before now."],
    ['is no time', 'tomorrow', 'Timestamp not in expected format.'],
  ])('a time of expiry that %s is refused', async (_which, expiresAt, words) => {
    const session = await stage().openByToken(ofDemo);
    const created = createApplicationCredential(session, { name: 'never', expiresAt });
    await expectError(created, BadRequestError, `OpenStack identity answered 400: ${words} The server could not`);
  });

  test('a restricted one can list, but neither create nor delete; an unrestricted one can', async () => {
    const restricted = await stage().openByToken({ ...ofDemo, restricted: true });
    const unrestricted = await stage().openByToken({ ...ofDemo, restricted: false });
    const { id } = await createApplicationCredential(unrestricted, { name: 'by-another' });
    expect(await listApplicationCredentials(restricted, { name: 'by-another' })).toHaveLength(1);
    const words =
      "OpenStack identity answered 403: You are not authorized to perform the requested action: Using method 'application_credential' is not allowed for managing additional application credentials.";
    await expectError(createApplicationCredential(restricted, { name: 'x' }), PermissionError, words);
    await expectError(deleteApplicationCredential(restricted, id), PermissionError, words);
    expect(await deleteApplicationCredential(unrestricted, id)).toBe(true);
  });

  test('one that is deleted is gone at once, for whoever is signed in by it as well', async () => {
    const session = await stage().openByToken(ofDemo);
    const created = await createApplicationCredential(session, { name: 'short-lived' });
    const own = signedIn(created);
    await own.authentication();
    expect(await deleteApplicationCredential(session, created.id)).toBe(true);
    expect(await deleteApplicationCredential(session, created.id)).toBe(false);
    await expectError(listApplicationCredentials(own), AuthenticationError, 'Could not find Application Credential');
    expect(await listApplicationCredentials(session, { name: 'short-lived' })).toEqual([]);
  });

  test("the service user deletes another user's by id, which nobody else may", async () => {
    const { name, id: userId } = await stage().newMember();
    const owner = await stage().openByToken({ user: name, project: 'demo' });
    const { id } = await createApplicationCredential(owner, { name: 'kube' });
    const stranger = await stage().openByToken(ofDemo);
    const refused =
      'OpenStack identity answered 403: You are not authorized to perform the requested action: identity:delete_application_credential.';
    await expectError(deleteApplicationCredential(stranger, id, { userId }), PermissionError, refused);
    await expectError(
      listApplicationCredentials(stranger, { userId }),
      PermissionError,
      'list_application_credentials',
    );
    const { auth } = parseCloud(stage().cloud.identity.serviceCredential).options;
    const service = stage().open(auth);
    expect(await listApplicationCredentials(service, { userId })).toHaveLength(1);
    expect(await deleteApplicationCredential(service, id, { userId })).toBe(true);
    expect(await deleteApplicationCredential(service, id, { userId })).toBe(false);
  });

  test('there is nothing to delete of a user who was removed', async () => {
    const { name, id: userId } = await stage().newMember();
    const owner = await stage().openByToken({ user: name, project: 'demo' });
    const { id } = await createApplicationCredential(owner, { name: 'kube' });
    await stage().cloud.identity.removeUser(userId);
    const service = stage().open(parseCloud(stage().cloud.identity.serviceCredential).options.auth);
    expect(await deleteApplicationCredential(service, id, { userId })).toBe(false);
  });
});
