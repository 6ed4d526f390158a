import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheRoot } from '../../scripts/cache-root.ts';
import { exists } from '../env/assets.ts';
import { withBuildLock } from '../env/build-lock.ts';
import { type CloudCommand, type CloudProcesses, startCloudProcesses } from './cloud-processes.ts';
import { dataInstallation, type Mariadb, startMariadb } from './mariadb.ts';
import {
  type CloudFolder,
  configurationFile,
  databases,
  type ServiceName,
  writeServiceFiles,
} from './service-files.ts';

/** Changes with the way of making the databases, so that those of the old way are not used. */
const recipe = 1;
/** Nova writes where a cell is into its database; each run has another socket, which Nova takes from its configuration. */
const cellUrl = (name: string) => `{scheme}://{username}@{hostname}/${name}?{query}`;

interface DatabaseOptions {
  /** Of the Python environment that has the services. */
  readonly python: string;
  /** What the environment holds. */
  readonly packages: readonly string[];
  readonly mariadb: Mariadb;
  readonly onProgress: (line: string) => void;
}

/** MariaDB's data with the empty databases of all services, made once for these releases; to be copied. */
export async function databaseTemplate(options: DatabaseOptions): Promise<string> {
  const { packages, mariadb, onProgress } = options;
  const hash = createHash('sha256').update(JSON.stringify([packages, mariadb.version, recipe]));
  const template = join(cacheRoot(process.env), `openstack-databases-${hash.digest('hex').slice(0, 8)}`);
  await withBuildLock(`${template}.lock`, async () => {
    if (await exists(template)) return;
    onProgress('making the databases of Glance, Nova, Neutron and Cinder, the first time takes a minute or two ...');
    await removeRemains(template);
    const work = await mkdtemp(`${template}.work-`);
    try {
      await makeDatabases(work, options);
      await rename(join(work, 'mariadb'), template);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
  return template;
}

async function makeDatabases(folder: string, { python, mariadb, onProgress }: DatabaseOptions): Promise<void> {
  const data = join(folder, 'mariadb');
  const place = { python, folder, socket: join(folder, 'mariadb.sock') };
  await Promise.all([mkdir(data, { recursive: true }), mkdir(join(folder, 'logs'))]);
  await writeServiceFiles(place, { authUrl: 'http://127.0.0.1', username: '', password: '', project: '' });
  const processes = startCloudProcesses(folder);
  try {
    await processes.run(dataInstallation(mariadb, data));
    await startMariadb(processes, mariadb, { data, socket: place.socket });
    await processes.run(creation(place));
    await Promise.all(
      migrations(place).map(async (commands) => {
        for (const command of commands) await migrate(processes, command, onProgress);
      }),
    );
  } finally {
    await processes.stop();
  }
}

async function migrate(processes: CloudProcesses, command: CloudCommand, onProgress: (line: string) => void) {
  const began = performance.now();
  await processes.run(command);
  onProgress(`${command.name} done in ${Math.round((performance.now() - began) / 1000)} s`);
}

function creation({ python, socket }: CloudFolder): CloudCommand {
  const script = fileURLToPath(new URL('create-databases.py', import.meta.url));
  return { name: 'create-databases', command: join(python, 'bin', 'python'), args: [script, socket, ...databases] };
}

/** Chains of commands; the chains may run side by side. */
function migrations(place: CloudFolder): readonly (readonly CloudCommand[])[] {
  const mapCell0 = ['cell_v2', 'map_cell0', '--database_connection', cellUrl('nova_cell0')];
  const cell1 = ['--name', 'cell1', '--database_connection', cellUrl('nova'), '--transport-url', 'fake:///'];
  const nova: readonly (readonly [string, readonly string[]])[] = [
    ['nova-api-database', ['api_db', 'sync']],
    ['nova-cell0', mapCell0],
    ['nova-databases', ['db', 'sync']],
    ['nova-cell1', ['cell_v2', 'create_cell', ...cell1]],
  ];
  return [
    [manage(place, 'neutron', { name: 'neutron-database', tool: 'neutron-db-manage', args: ['upgrade', 'heads'] })],
    nova.map(([name, args]) => manage(place, 'nova', { name, tool: 'nova-manage', args })),
    [
      manage(place, 'cinder', { name: 'cinder-database', tool: 'cinder-manage', args: ['db', 'sync'] }),
      manage(place, 'glance', { name: 'glance-database', tool: 'glance-manage', args: ['db_sync'] }),
    ],
  ];
}

function manage(
  place: CloudFolder,
  service: ServiceName,
  { name, tool, args }: { readonly name: string; readonly tool: string; readonly args: readonly string[] },
): CloudCommand {
  const configuration = ['--config-file', configurationFile(place.folder, service)];
  // By its Python: the first line of the tool names the folder in which the environment was made.
  const [python, script] = [join(place.python, 'bin', 'python'), join(place.python, 'bin', tool)];
  return { name, command: python, args: [script, ...configuration, ...args] };
}

/** Copies the template for one run. */
export async function copyDatabases(template: string, data: string): Promise<void> {
  await cp(template, data, { recursive: true });
}

/** What a run that was killed left behind. */
async function removeRemains(template: string): Promise<void> {
  const root = dirname(template);
  const remains = (await readdir(root)).filter((name) => name.startsWith(`${basename(template)}.work-`));
  await Promise.all(remains.map((name) => rm(join(root, name), { recursive: true, force: true })));
}
