import { randomBytes } from 'node:crypto';
import { KeystoneAdmin } from '../cloud/keystone/keystone-admin.ts';
import { type PasswordLogin, passwordToken } from '../cloud/keystone/keystone-api.ts';
import { type ProjectName, type UserName, users } from './content.ts';
import type { RealCloud } from './real-cloud.ts';

/** Ids and passwords of what was made in the real Keystone. */
export interface RealIdentity {
  readonly projects: Readonly<Record<ProjectName, string>>;
  readonly passwords: Readonly<Record<UserName, string>>;
}

/** Makes the projects, users and roles of the content, the catalogue, and the login of the services themselves. */
export async function provisionIdentity({ keystone, service, urls }: RealCloud): Promise<RealIdentity> {
  const admin = new KeystoneAdmin(keystone);
  await admin.createRole('stranger');
  const projects = { demo: await admin.createProject('demo'), other: await admin.createProject('other') };
  const passwords = { demo: secret(), viewer: secret(), stranger: secret(), other: secret(), operator: secret() };
  const projectId = await admin.createProject(service.name);
  await addUser(admin, service, { projectId, roles: ['admin', 'service'] });
  const logins: PasswordLogin[] = [{ ...service, project: service.name }];
  for (const name of userNames) {
    const { project, roles } = users[name];
    await addUser(admin, { name, password: passwords[name] }, { projectId: projects[project], roles });
    logins.push({ name, password: passwords[name], project });
  }
  // One by one: Keystone notes a user's first sign-in of a day, and SQLite fails two such writes at once.
  for (const login of logins) await passwordToken(keystone.authUrl, login);
  const region = 'RegionOne';
  await admin.createService({ type: 'identity', name: 'keystone', url: keystone.authUrl, region });
  await admin.createService({ type: 'compute', name: 'nova', url: `${urls.compute}/v2.1`, region });
  await admin.createService({ type: 'image', name: 'glance', url: urls.image, region });
  await admin.createService({ type: 'network', name: 'neutron', url: urls.network, region });
  // With the project, as in older clouds, and in another region without.
  const cinder = { type: 'block-storage', name: 'cinder' };
  await admin.createService({ ...cinder, url: `${urls.volume}/v3/$(project_id)s`, region });
  await admin.createService({ ...cinder, url: `${urls.volume}/v3`, region: 'RegionTwo' });
  return { projects, passwords };
}

const userNames = ['demo', 'viewer', 'stranger', 'other', 'operator'] as const;

interface Grant {
  readonly projectId: string;
  readonly roles: readonly string[];
}

async function addUser(
  admin: KeystoneAdmin,
  { name, password }: { readonly name: string; readonly password: string },
  { projectId, roles }: Grant,
): Promise<void> {
  const userId = await admin.createUser({ name, password });
  for (const role of roles) await admin.assignRole({ userId, projectId, role });
}

function secret(): string {
  return randomBytes(18).toString('base64url');
}
