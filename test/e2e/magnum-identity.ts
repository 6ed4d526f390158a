import { KeystoneAdmin } from '../cloud/keystone/keystone-admin.ts';
import type { PasswordLogin } from '../cloud/keystone/keystone-api.ts';
import { serviceNames } from '../cloud/openstack/identity.ts';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import type { ServiceLogin } from '../openstack/service-login.ts';

/** Magnum's place in the Keystone of a cloud. */
export interface MagnumIdentity {
  /** Of Magnum's service user, an administrator. */
  readonly login: ServiceLogin;
  /** The same user. */
  readonly service: PasswordLogin;
  readonly demo: PasswordLogin;
  /** Puts Magnum into the catalogue. @param url without version */
  catalogue(url: string): Promise<void>;
}

export function magnumIdentity({ authUrl, state }: SimulatedOpenStack): MagnumIdentity {
  const passwordOf = (user: string) => state.users.find(({ name }) => name === user)?.password ?? '';
  const { user: username, project } = serviceNames;
  const password = passwordOf(username);
  return {
    login: { authUrl: `${authUrl}/v3`, username, password, project },
    service: { name: username, password, project },
    demo: { name: 'demo', password: passwordOf('demo'), project: 'demo' },
    async catalogue(url) {
      const admin = new KeystoneAdmin({ authUrl, admin: { name: 'admin', password: passwordOf('admin') } });
      await admin.createService({ type: 'container-infra', name: 'magnum', url: `${url}/v1`, region: state.region });
    },
  };
}
