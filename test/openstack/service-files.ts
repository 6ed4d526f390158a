import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ini, type Sections } from './ini.ts';
import { authToken, type ServiceLogin, signIn } from './service-login.ts';

/** Where one run of the services keeps its things. */
export interface CloudFolder {
  /** Of the Python environment that has the services. */
  readonly python: string;
  /** Of the run. */
  readonly folder: string;
  /** MariaDB's. */
  readonly socket: string;
}

/** Largest page of each list: small, so that lists have several; not smaller than any real Nova's. */
export const pageLimit = 10;
/** Server groups of a project: more than a page. */
export const serverGroupQuota = 12;

/** The databases, and to whom they belong. */
export const databases = ['glance', 'nova', 'nova_api', 'nova_cell0', 'neutron', 'cinder'] as const;

export type ServiceName = 'glance' | 'nova' | 'neutron' | 'cinder';

/** Folder of a service's configuration; it holds a password, so it ends with the data. */
export function configurationFolder(folder: string, service: ServiceName): string {
  return join(folder, 'data', 'etc', service);
}

/** Path of a service's configuration. */
export function configurationFile(folder: string, service: ServiceName): string {
  return join(configurationFolder(folder, service), service === 'glance' ? 'glance-api.conf' : `${service}.conf`);
}

/** Writes the configuration of Glance, Nova, Neutron and Cinder: their APIs alone, without anything behind them. */
export async function writeServiceFiles(place: CloudFolder, login: ServiceLogin): Promise<void> {
  const { folder, python } = place;
  const files: readonly (readonly [ServiceName, Sections])[] = [
    ['glance', glance(place, login)],
    ['nova', nova(place, login)],
    ['neutron', neutron(place, login)],
    ['cinder', cinder(place, login)],
  ];
  for (const [service, sections] of files) {
    await mkdir(configurationFolder(folder, service), { recursive: true });
    await mkdir(stateOf(place, service), { recursive: true });
    await writeFile(configurationFile(folder, service), ini(sections), { mode: 0o600 });
  }
  // Nova reads its paste file from beside its configuration.
  const paste = join(configurationFolder(folder, 'nova'), 'api-paste.ini');
  await cp(join(python, 'etc', 'nova', 'api-paste.ini'), paste);
}

function stateOf({ folder }: CloudFolder, service: string): string {
  return join(folder, 'data', service);
}

function databaseUrl({ socket }: CloudFolder, name: string): string {
  return `mysql+pymysql://root@localhost/${name}?unix_socket=${socket}`;
}

function glance(place: CloudFolder, login: ServiceLogin): Sections {
  return {
    DEFAULT: { enabled_backends: 'file:file', limit_param_default: pageLimit },
    database: { connection: databaseUrl(place, 'glance') },
    glance_store: { default_backend: 'file' },
    file: { filesystem_store_datadir: stateOf(place, 'glance') },
    paste_deploy: { flavor: 'keystone', config_file: join(place.python, 'etc', 'glance', 'glance-api-paste.ini') },
    keystone_authtoken: authToken(login),
  };
}

function nova(place: CloudFolder, login: ServiceLogin): Sections {
  const state = stateOf(place, 'nova');
  return {
    DEFAULT: { state_path: state, transport_url: noTransport, my_ip: '127.0.0.1' },
    api: { max_limit: pageLimit },
    quota: { server_groups: serverGroupQuota },
    api_database: { connection: databaseUrl(place, 'nova_api') },
    database: { connection: databaseUrl(place, 'nova') },
    oslo_concurrency: { lock_path: state },
    keystone_authtoken: authToken(login),
    placement: signIn(login),
    neutron: signIn(login),
    glance: signIn(login),
  };
}

function neutron(place: CloudFolder, login: ServiceLogin): Sections {
  const state = stateOf(place, 'neutron');
  return {
    DEFAULT: {
      state_path: state,
      transport_url: noTransport,
      core_plugin: 'ml2',
      service_plugins: 'router',
      api_paste_config: join(place.python, 'etc', 'neutron', 'api-paste.ini'),
      pagination_max_limit: pageLimit,
      notify_nova_on_port_status_changes: 'false',
      notify_nova_on_port_data_changes: 'false',
    },
    database: { connection: databaseUrl(place, 'neutron') },
    oslo_concurrency: { lock_path: state },
    ml2: { type_drivers: 'local', tenant_network_types: 'local', mechanism_drivers: '' },
    keystone_authtoken: authToken(login),
  };
}

function cinder(place: CloudFolder, login: ServiceLogin): Sections {
  const state = stateOf(place, 'cinder');
  return {
    DEFAULT: {
      state_path: state,
      transport_url: noTransport,
      my_ip: '127.0.0.1',
      auth_strategy: 'keystone',
      api_paste_config: join(place.python, 'etc', 'cinder', 'api-paste.ini'),
      osapi_max_limit: pageLimit,
      // For projects without a default of their own: a type that is not there.
      default_volume_type: 'gone',
    },
    database: { connection: databaseUrl(place, 'cinder') },
    oslo_concurrency: { lock_path: state },
    keystone_authtoken: authToken(login),
  };
}

/** Nobody listens behind the APIs. */
const noTransport = 'fake://';
