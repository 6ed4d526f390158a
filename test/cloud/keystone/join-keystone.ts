import type { Cloud, RealKeystone } from '../openstack/api.ts';
import type { Owners } from '../openstack/default-state.ts';
import type { Identity } from '../openstack/identity.ts';
import { createOwners } from './cloud-owners.ts';
import { forward } from './forward.ts';
import type { Keystone } from './keystone.ts';
import { KeystoneAdmin } from './keystone-admin.ts';
import { keystoneIdentity } from './keystone-identity.ts';
import { TokenValidation } from './token-validation.ts';

/** A real Keystone that knows the users of one simulated cloud. */
export interface JoinedKeystone extends RealKeystone {
  readonly owners: Owners;
  /** Puts the cloud's services into Keystone's catalogue. */
  catalogue(cloud: Pick<Cloud, 'url' | 'state'>): Promise<void>;
  identity(cloud: Pick<Cloud, 'url' | 'state'>): Identity;
}

/** Creates the users and projects of the default state. */
export async function joinKeystone(keystone: Keystone): Promise<JoinedKeystone> {
  const { authUrl } = keystone;
  const admin = new KeystoneAdmin(keystone);
  const { validator, ...owners } = await createOwners(keystone, admin);
  const validation = new TokenValidation(authUrl, validator);
  return {
    owners,
    validToken: (value) => validation.validToken(value),
    forward: (request) => forward(authUrl, request),
    async catalogue({ url, state: { services, region } }) {
      for (const { type, name, path } of services) {
        await admin.createService({ type, name, region, url: `${url}${path.replace('{project}', '$(project_id)s')}` });
      }
    },
    identity: ({ url, state }) => keystoneIdentity({ authUrl, publicUrl: `${url}/identity`, admin, state }),
  };
}
