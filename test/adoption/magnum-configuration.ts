import { join } from 'node:path';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';

/** Magnum's clients of other services that need a region. */
const clients = ['cinder', 'glance', 'magnum', 'manila', 'neutron', 'nova', 'octavia'];

type Sections = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The text of a magnum.conf for a conductor without a message queue, on a database in that folder. */
export function magnumConfiguration(directory: string, cloud: SimulatedOpenStack): string {
  const url = `${cloud.authUrl}/v3`;
  const region = cloud.state.region;
  const password = cloud.state.users.find(({ name }) => name === 'admin')?.password ?? '';
  const sections: Sections = {
    DEFAULT: {
      transport_url: 'fake://',
      host: 'adoption',
      state_path: directory,
      log_file: join(directory, 'magnum.log'),
    },
    database: { connection: `sqlite:///${join(directory, 'magnum.sqlite')}` },
    oslo_messaging_notifications: { driver: 'noop' },
    certificates: { cert_manager_type: 'x509keypair' },
    // The service user of the periodic tasks.
    keystone_auth: {
      auth_type: 'password',
      auth_url: url,
      username: 'admin',
      password,
      project_name: 'admin',
      user_domain_name: 'Default',
      project_domain_name: 'Default',
    },
    ...Object.fromEntries(clients.map((name) => [`${name}_client`, { region_name: region }])),
  };
  return Object.entries(sections).map(sectionText).join('\n');
}

function sectionText([name, options]: [string, Readonly<Record<string, string>>]): string {
  return [`[${name}]`, ...Object.entries(options).map(([key, value]) => `${key} = ${value}`), ''].join('\n');
}
