import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Keystone, startKeystone } from '../cloud/keystone/keystone.ts';
import { pythonEnvironment } from '../env/python-environment.ts';
import { type CloudProcesses, startCloudProcesses } from './cloud-processes.ts';
import { copyDatabases, databaseTemplate } from './databases.ts';
import { requireMariadb, startMariadb } from './mariadb.ts';
import { type ServiceUrls, startServices } from './real-services.ts';
import { type CloudFolder, writeServiceFiles } from './service-files.ts';

/** Every package with its version. */
const pins = new URL('requirements.txt', import.meta.url);

/** Real Keystone, Nova, Neutron, Glance and Cinder, with nothing behind their APIs. */
export interface RealCloud extends CloudFolder {
  readonly keystone: Keystone;
  readonly urls: ServiceUrls;
  /** User and project of the services, to be created; Keystone's administrator has to give it the role admin. */
  readonly service: { readonly name: 'service'; readonly password: string };
  readonly processes: CloudProcesses;
  /** Ends every process and removes the files, unless they are to be kept. */
  stop(options?: { readonly keep?: boolean }): Promise<void>;
}

interface RealCloudOptions {
  readonly onProgress: (line: string) => void;
}

/**
 * Starts it with empty databases; it ends at the latest with this process.
 * @throws {AssetError} when something cannot be installed.
 * @throws {ControlPlaneError} when a service does not start, with the end of its log.
 */
export async function startRealCloud({ onProgress }: RealCloudOptions): Promise<RealCloud> {
  const mariadb = await requireMariadb(onProgress);
  const packages = (await readFile(pins, 'utf8')).trim().split('\n');
  const environment = await pythonEnvironment({ purpose: 'The real OpenStack', requirements: packages, onProgress });
  const python = dirname(dirname(environment));
  const template = await databaseTemplate({ python, packages, mariadb, onProgress });
  const folder = await mkdtemp(join(tmpdir(), 'magnum-openstack-'));
  const data = join(folder, 'data', 'mariadb');
  await Promise.all([mkdir(join(folder, 'data')), mkdir(join(folder, 'logs'))]);
  const processes = startCloudProcesses(folder);
  const starting = startKeystone({ onProgress });
  const stop = async (keep: boolean) => {
    await Promise.all([processes.stop(), starting.then((keystone) => keystone.stop()).catch(() => undefined)]);
    if (keep) onProgress(`the logs of the services are in ${join(folder, 'logs')}`);
    else await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const place = { python, folder, socket: join(folder, 'mariadb.sock') };
    await copyDatabases(template, data);
    const [keystone] = await Promise.all([starting, startMariadb(processes, mariadb, { data, socket: place.socket })]);
    const service = { name: 'service', password: randomBytes(18).toString('base64url') } as const;
    const login = { username: service.name, password: service.password, project: service.name };
    await writeServiceFiles(place, { ...login, authUrl: `${keystone.authUrl}/v3` });
    onProgress('starting Glance, Nova, Neutron and Cinder');
    const urls = await startServices(processes, place);
    return { ...place, keystone, urls, service, processes, stop: ({ keep = false } = {}) => stop(keep) };
  } catch (error) {
    await stop(true);
    throw error;
  }
}
