import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../env/wait-for.ts';
import type { CloudCommand, CloudProcesses } from './cloud-processes.ts';
import { type CloudFolder, configurationFile, configurationFolder, type ServiceName } from './service-files.ts';

/** URLs of the services, without version. */
export interface ServiceUrls {
  readonly image: string;
  readonly compute: string;
  readonly network: string;
  readonly volume: string;
}

interface ServiceStart {
  readonly name: ServiceName;
  readonly module: string;
  readonly args?: readonly string[];
  /** Where the service's module finds its configuration, since it reads no arguments. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the APIs, each on a port of its own, and returns when all listen. */
export async function startServices(processes: CloudProcesses, place: CloudFolder): Promise<ServiceUrls> {
  const etc = (service: ServiceName) => configurationFolder(place.folder, service);
  const start = (service: ServiceStart) => startService(processes, place, service);
  const [image, compute, network, volume] = await Promise.all([
    start({ name: 'glance', module: 'glance.wsgi.api', env: { OS_GLANCE_CONFIG_DIR: etc('glance') } }),
    start({
      name: 'nova',
      module: 'nova.wsgi.osapi_compute',
      // The paste file has to come first.
      env: { OS_NOVA_CONFIG_DIR: etc('nova'), OS_NOVA_CONFIG_FILES: 'api-paste.ini;nova.conf' },
    }),
    start({
      name: 'neutron',
      module: 'neutron.wsgi.api',
      env: { OS_NEUTRON_CONFIG_DIR: etc('neutron'), OS_NEUTRON_CONFIG_FILES: 'neutron.conf' },
    }),
    start({
      name: 'cinder',
      module: 'cinder.wsgi.api',
      args: ['--config-file', configurationFile(place.folder, 'cinder')],
      env: {},
    }),
  ]);
  return { image, compute, network, volume };
}

async function startService(processes: CloudProcesses, place: CloudFolder, service: ServiceStart): Promise<string> {
  const portFile = join(place.folder, 'data', `${service.name}.port`);
  processes.start(command(place, service, portFile));
  const { signal } = processes;
  const port = await waitFor(() => readFile(portFile, 'utf8'), {
    what: `${service.name} to listen`,
    timeout: 300_000,
    signal,
  });
  return `http://127.0.0.1:${port}`;
}

function command(
  { python }: CloudFolder,
  { name, module, args = [], env }: ServiceStart,
  portFile: string,
): CloudCommand {
  const script = fileURLToPath(new URL('serve-wsgi.py', import.meta.url));
  return { name, command: join(python, 'bin', 'python'), args: [script, module, portFile, ...args], env };
}
