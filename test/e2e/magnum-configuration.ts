import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ini, type Sections } from '../openstack/ini.ts';
import { authToken, type ServiceLogin, signIn } from '../openstack/service-login.ts';
import type { MagnumEnvironment } from './magnum-environment.ts';

export interface MagnumConfiguration {
  readonly environment: MagnumEnvironment;
  /** Of the run. */
  readonly folder: string;
  readonly transportUrl: string;
  /** For SQLAlchemy. */
  readonly databaseUrl: string;
  readonly login: ServiceLogin;
  /** Name of the region of all services. */
  readonly region: string;
  readonly functions: FunctionsConfiguration;
  readonly listener: ListenerConfiguration;
  /** Further options of the section `capi_functions`. */
  readonly driverOptions: Readonly<Record<string, string | number>>;
}

/** How Magnum reaches the functions. */
export interface FunctionsConfiguration {
  /** `{function}` stands for the function's name. */
  readonly url: string;
  /** File with the conductor's token. */
  readonly tokenFile: string;
}

/** Where the reports come in. */
export interface ListenerConfiguration {
  readonly port: number;
  readonly secretFile: string;
}

/** Services whose clients Magnum has. */
const clients = ['cinder', 'glance', 'magnum', 'neutron', 'nova', 'octavia'] as const;

/** Writes magnum.conf for all of Magnum's processes; it holds a password, so it ends with the data. */
export async function writeMagnumConfiguration(configuration: MagnumConfiguration): Promise<string> {
  const folder = join(configuration.folder, 'data', 'magnum');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'magnum.conf');
  await writeFile(file, ini(sections(configuration, folder)), { mode: 0o600 });
  return file;
}

function sections(configuration: MagnumConfiguration, state: string): Sections {
  const { environment, transportUrl, databaseUrl, login, region, functions, listener, driverOptions } = configuration;
  return {
    DEFAULT: {
      transport_url: transportUrl,
      state_path: state,
      host: 'conductor',
      // It does not end by itself before.
      graceful_shutdown_timeout: 2,
      use_stderr: 'true',
    },
    api: { host: '127.0.0.1', api_paste_config: join(environment.folder, 'etc', 'magnum', 'api-paste.ini') },
    conductor: { workers: 1 },
    database: { connection: databaseUrl },
    oslo_messaging_notifications: { driver: 'noop' },
    oslo_concurrency: { lock_path: state },
    certificates: { cert_manager_type: 'x509keypair' },
    cluster: { temp_cache_dir: join(state, 'certificates') },
    cluster_template: {
      kubernetes_allowed_network_drivers: 'all',
      kubernetes_default_network_driver: 'calico',
    },
    keystone_auth: signIn(login),
    keystone_authtoken: authToken(login),
    ...Object.fromEntries(clients.map((client) => [`${client}_client`, { region_name: region }])),
    capi_functions: {
      functions_url: functions.url,
      token_file: functions.tokenFile,
      listener_host: '127.0.0.1',
      listener_port: listener.port,
      listener_secret_file: listener.secretFile,
      ...driverOptions,
    },
  };
}
