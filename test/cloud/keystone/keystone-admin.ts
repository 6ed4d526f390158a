import * as z from 'zod';
import type { Keystone } from './keystone.ts';
import { KeystoneError, KeystoneUser } from './keystone-api.ts';

const identified = z.object({ id: z.string() });
const listed = z.array(z.object({ id: z.string(), name: z.string() }));

/** A service of the catalogue. */
export interface CataloguedService {
  /** As `compute`. */
  readonly type: string;
  readonly name: string;
  /** URL of all three interfaces; `$(project_id)s` stands for the token's project. */
  readonly url: string;
  readonly region: string;
}

export interface RoleAssignment {
  readonly userId: string;
  readonly projectId: string;
  /** Name of the role. */
  readonly role: string;
}

/** What the administrator of a real Keystone does, by its API. Everything is in the domain `default`. */
export class KeystoneAdmin {
  readonly #admin: KeystoneUser;
  #roleIds: Promise<ReadonlyMap<string, string>> | undefined;

  constructor({ authUrl, admin }: Pick<Keystone, 'authUrl' | 'admin'>) {
    this.#admin = new KeystoneUser(authUrl, { ...admin, project: 'admin' });
  }

  /** Id of what has the name. @throws {KeystoneError} where nothing has it */
  async idOf(kind: 'user' | 'project', name: string): Promise<string> {
    const path = `/${kind}s?name=${encodeURIComponent(name)}`;
    const [found] = member(await this.#admin.call({ method: 'GET', path }), `${kind}s`, listed);
    if (found === undefined) throw new KeystoneError(`Keystone has no ${kind} ${name}.`);
    return found.id;
  }

  createProject(name: string): Promise<string> {
    return this.#create('project', { name });
  }

  createRole(name: string): Promise<string> {
    return this.#create('role', { name });
  }

  createUser(user: { readonly name: string; readonly password: string }): Promise<string> {
    return this.#create('user', user);
  }

  async assignRole(assignment: RoleAssignment): Promise<void> {
    await this.#admin.call({ method: 'PUT', path: await this.#assignmentPath(assignment) });
  }

  /** Keystone also revokes the tokens, and accepts the application credentials no more that have the role. */
  async unassignRole(assignment: RoleAssignment): Promise<void> {
    await this.#admin.call({ method: 'DELETE', path: await this.#assignmentPath(assignment) });
  }

  async disable(kind: 'user' | 'project', id: string): Promise<void> {
    await this.#admin.call({ method: 'PATCH', path: `/${kind}s/${id}`, body: { [kind]: { enabled: false } } });
  }

  async remove(kind: 'user' | 'project', id: string): Promise<void> {
    await this.#admin.call({ method: 'DELETE', path: `/${kind}s/${id}` });
  }

  async revokeToken(token: string): Promise<void> {
    await this.#admin.call({ method: 'DELETE', path: '/auth/tokens', subjectToken: token });
  }

  /** Names and ids of a user's application credentials. */
  async credentialsOf(userId: string): Promise<z.infer<typeof listed>> {
    const path = `/users/${userId}/application_credentials`;
    return member(await this.#admin.call({ method: 'GET', path }), 'application_credentials', listed);
  }

  /** Adds a service with a public, an internal and an admin endpoint of the same URL. */
  async createService({ type, name, url, region }: CataloguedService): Promise<void> {
    const service_id = await this.#create('service', { type, name });
    for (const offered of ['public', 'internal', 'admin']) {
      await this.#create('endpoint', { service_id, interface: offered, region, url });
    }
  }

  async #create(kind: string, fields: object): Promise<string> {
    const body = await this.#admin.call({ method: 'POST', path: `/${kind}s`, body: { [kind]: fields } });
    return member(body, kind, identified).id;
  }

  async #assignmentPath({ userId, projectId, role }: RoleAssignment): Promise<string> {
    this.#roleIds ??= this.#listRoles();
    const roleId = (await this.#roleIds).get(role);
    if (roleId === undefined) throw new KeystoneError(`Keystone has no role ${role}.`);
    return `/projects/${projectId}/users/${userId}/roles/${roleId}`;
  }

  async #listRoles(): Promise<ReadonlyMap<string, string>> {
    const roles = member(await this.#admin.call({ method: 'GET', path: '/roles' }), 'roles', listed);
    return new Map(roles.map(({ id, name }) => [name, id]));
  }
}

const keyed = z.record(z.string(), z.unknown());

/** What stands below one key of an answer. */
function member<T>(body: unknown, key: string, schema: z.ZodType<T>): T {
  return schema.parse(keyed.parse(body)[key]);
}
