import { randomBytes } from 'node:crypto';
import type { Owners } from '../openstack/default-state.ts';
import { serviceNames } from '../openstack/identity.ts';
import type { Project, User } from '../openstack/state.ts';
import type { Keystone } from './keystone.ts';
import type { KeystoneAdmin } from './keystone-admin.ts';
import type { PasswordLogin } from './keystone-api.ts';

export interface KeystoneOwners extends Owners {
  /** By whom the simulated services ask for tokens. */
  readonly validator: PasswordLogin;
}

/** Creates the users and projects of the default state in a new Keystone. */
export async function createOwners({ admin: first }: Keystone, admin: KeystoneAdmin): Promise<KeystoneOwners> {
  const adminProject = { id: await admin.idOf('project', 'admin'), name: 'admin' };
  const [demo, service] = await Promise.all(['demo', serviceNames.project].map((name) => newProject(admin, name)));
  if (demo === undefined || service === undefined) throw new RangeError('Two projects were created.');
  const adminId = await admin.idOf('user', 'admin');
  await admin.assignRole({ userId: adminId, projectId: demo.id, role: 'admin' });
  // An administrator's other roles are implied.
  const adminRoles = { [adminProject.id]: ['admin'], [demo.id]: ['admin'] };
  const validator = await newUser(admin, { name: 'simulated-services', project: service, roles: ['service'] });
  return {
    projects: { demo, admin: adminProject, service },
    users: {
      demo: await newUser(admin, { name: 'demo', project: demo, roles: ['member', 'reader'] }),
      admin: { id: adminId, ...first, roles: adminRoles },
      magnum: await newUser(admin, { name: serviceNames.user, project: service, roles: ['admin'] }),
    },
    validator: { name: validator.name, password: validator.password, project: service.name },
  };
}

export async function newProject(admin: KeystoneAdmin, name: string): Promise<Project> {
  return { id: await admin.createProject(name), name };
}

interface UserOfProject {
  readonly name: string;
  readonly project: Project;
  readonly roles: readonly string[];
}

/** Creates a user with a new password. */
export async function newUser(admin: KeystoneAdmin, { name, project, roles }: UserOfProject): Promise<User> {
  const password = randomBytes(18).toString('base64url');
  const id = await admin.createUser({ name, password });
  for (const role of roles) await admin.assignRole({ userId: id, projectId: project.id, role });
  return { id, name, password, roles: { [project.id]: [...roles] } };
}
