import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { demoCredential } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import type { CredentialReference } from '../render/cloud-config.ts';
import { type CredentialRemoval, removeCredentials } from './credential-removal.ts';

let cloud: SimulatedOpenStack;
let directory: string;
let removal: CredentialRemoval;
beforeEach(async () => {
  cloud = await startSimulatedOpenStack();
  directory = await mkdtemp(join(tmpdir(), 'magnum-credentials-'));
  await actAs('admin');
});
afterEach(async () => {
  await cloud.stop();
  await rm(directory, { recursive: true, force: true });
});

async function actAs(username: string, password?: string): Promise<void> {
  const file = join(directory, `${username}.yaml`);
  const user = cloud.state.users.find(({ name }) => name === username);
  const project = { project_name: username, project_domain_id: 'default', user_domain_id: 'default' };
  const auth = { auth_url: cloud.authUrl, username, password: password ?? user?.password, ...project };
  await writeFile(file, dump({ clouds: { default: { auth } } }));
  removal = { serviceCloud: { file, name: 'default' }, onRequest: () => undefined, beforeWrite: () => undefined };
}

/** A new credential of a cluster that demo owns. */
function newCredential(): CredentialReference {
  const { id } = demoCredential(cloud);
  return { id, userId: cloud.state.users.find(({ name }) => name === 'demo')?.id ?? '' };
}

const ids = () => cloud.state.applicationCredentials.map(({ id }) => id);

describe('the functions delete', () => {
  test('the credentials of a cluster, and no other', async () => {
    const [one, other, kept] = [newCredential(), newCredential(), newCredential()];
    expect(await removeCredentials([one, other], removal)).toEqual([]);
    expect(ids()).toEqual([kept.id]);
  });

  test('what is gone already, also with its owner', async () => {
    const gone = { id: 'f00', userId: newCredential().userId };
    expect(await removeCredentials([gone, { id: 'f00', userId: 'nobody' }], removal)).toEqual([]);
  });

  test('nothing, and ask nobody, where there is nothing to delete', async () => {
    expect(await removeCredentials([], removal)).toEqual([]);
    expect(cloud.requests).toEqual([]);
  });

  test('nothing any more once they may not', async () => {
    const credential = newCredential();
    const beforeWrite = () => {
      throw new Error('the Lease is lost');
    };
    await expect(removeCredentials([credential], { ...removal, beforeWrite })).rejects.toThrow('the Lease is lost');
    expect(ids()).toEqual([credential.id]);
  });
});

describe('a credential that stays', () => {
  test.each([
    ['because the functions have none of their own', async () => ({ serviceCloud: undefined }), 'of their own'],
    [
      'because theirs was not mounted',
      async () => ({ serviceCloud: { file: join(directory, 'missing.yaml'), name: 'default' } }),
      'missing.yaml',
    ],
    [
      'because theirs is not accepted',
      async () => {
        await actAs('admin', 'wrong');
        return {};
      },
      '401',
    ],
    [
      'because their user is no administrator',
      async () => {
        for (const user of cloud.state.users)
          for (const roles of Object.values(user.roles)) roles.splice(0, roles.length, 'member');
        return {};
      },
      'identity:delete_application_credential',
    ],
  ])('%s is named, and not tried again', async (_title, change, word) => {
    const credential = newCredential();
    const changes = await change();
    const [left] = await removeCredentials([credential], { ...removal, ...changes });
    expect(left).toMatchObject({ credential, isFinal: true });
    expect(left?.told).toContain(`Application credential ${credential.id} cannot be deleted: `);
    expect(left?.told).toContain(word);
    expect(ids()).toEqual([credential.id]);
  });

  test('because its id was never recorded is named', async () => {
    const [left] = await removeCredentials([{ id: '', userId: 'somebody' }], removal);
    expect(left).toMatchObject({ isFinal: true, told: expect.stringContaining('Application credential cannot be') });
  });

  test('because Keystone is down may be tried again, and costs one wait for all of them', async () => {
    const credentials = [newCredential(), newCredential()];
    cloud.faults.inject({ service: 'identity', method: 'DELETE', status: 501, times: 1 });
    const left = await removeCredentials(credentials, removal);
    expect(left.map(({ credential, isFinal }) => [credential, isFinal])).toEqual(
      credentials.map((one) => [one, false]),
    );
    expect(await removeCredentials(credentials, removal)).toEqual([]);
    expect(ids()).toEqual([]);
  });
});
