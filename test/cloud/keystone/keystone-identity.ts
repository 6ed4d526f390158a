import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import {
  type CredentialRequest,
  type Identity,
  type SignInCredential,
  serviceCredential,
  serviceNames,
} from '../openstack/identity.ts';
import type { CloudState } from '../openstack/state.ts';
import { BriefCache } from './brief-cache.ts';
import { newProject, newUser } from './cloud-owners.ts';
import type { KeystoneAdmin } from './keystone-admin.ts';
import { accepted, askKeystone, KeystoneUser, passwordToken, tokenFor } from './keystone-api.ts';
import { cacheMs } from './token-validation.ts';

const created = z.object({ application_credential: z.object({ id: z.string(), secret: z.string() }) });

interface KeystoneIdentityOptions {
  /** Keystone's own URL, without version. */
  readonly authUrl: string;
  /** Keystone's URL as the cloud's users know it. */
  readonly publicUrl: string;
  readonly admin: KeystoneAdmin;
  /** Its users and projects are kept as Keystone has them. */
  readonly state: CloudState;
}

/** A real Keystone, as its administrator and its users change it. */
export function keystoneIdentity({ authUrl, publicUrl, admin, state }: KeystoneIdentityOptions): Identity {
  const projects = new BriefCache<string | null>(cacheMs);
  const createCredential = async (request: CredentialRequest) => {
    const { id, name, password } = named(state.users, request.user);
    const user = new KeystoneUser(authUrl, { name, password, project: request.project });
    const fields = { name: `signed-in-${randomBytes(8).toString('hex')}`, unrestricted: !request.restricted };
    const path = `/users/${id}/application_credentials`;
    const body = await user.call({ method: 'POST', path, body: { application_credential: fields } });
    return created.parse(body).application_credential;
  };
  return {
    serviceCredential: serviceCredential(publicUrl, state.region, named(state.users, serviceNames.user).password),
    createCredential,
    async signIn({ user, project, restricted }) {
      if (restricted === undefined) {
        const { name, password } = named(state.users, user);
        return passwordToken(authUrl, { name, password, project });
      }
      const application_credential = await createCredential({ user, project, restricted });
      return tokenFor(authUrl, { identity: { methods: ['application_credential'], application_credential } });
    },
    credentialProject: ({ id, secret }) =>
      projects.get(`${id} ${secret}`, () => credentialProject(authUrl, { id, secret })),
    credentialsOf: (userId) => admin.credentialsOf(userId),
    async addProject(name) {
      const project = await newProject(admin, name);
      state.projects.push(project);
      return project;
    },
    async addUser({ name, project, roles }) {
      const user = await newUser(admin, { name, project: named(state.projects, project), roles });
      state.users.push(user);
      return user;
    },
    async removeUser(id) {
      await admin.remove('user', id);
      state.users = state.users.filter((user) => user.id !== id);
    },
    disableUser: (id) => admin.disable('user', id),
    disableProject: (id) => admin.disable('project', id),
    removeRole: (userId, projectId, role) => admin.unassignRole({ userId, projectId, role }),
    revokeToken: (token) => admin.revokeToken(token),
  };
}

const scoped = z.object({ token: z.object({ project: z.object({ id: z.string() }) }) });

async function credentialProject(authUrl: string, application_credential: SignInCredential): Promise<string | null> {
  const auth = { identity: { methods: ['application_credential'], application_credential } };
  const answer = await askKeystone(authUrl, { method: 'POST', path: '/auth/tokens', body: { auth } });
  return [401, 404].includes(answer.status) ? null : scoped.parse(accepted(answer).body).token.project.id;
}

function named<T extends { readonly name: string }>(things: readonly T[], name: string): T {
  const thing = things.find((candidate) => candidate.name === name);
  if (thing === undefined) throw new RangeError(`The cloud has nothing of the name ${name}.`);
  return thing;
}
