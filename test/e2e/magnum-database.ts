import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CloudProcesses } from '../openstack/cloud-processes.ts';
import { dataInstallation, requireMariadb, startMariadb } from '../openstack/mariadb.ts';
import type { MagnumEnvironment } from './magnum-environment.ts';

const databaseName = 'magnum';
const creation = fileURLToPath(new URL('../openstack/create-databases.py', import.meta.url));

export interface MagnumDatabase {
  /** For SQLAlchemy. */
  readonly url: string;
  /** Path of MariaDB's socket; the user root needs no password. */
  readonly socket: string;
}

export interface MagnumDatabaseOptions {
  readonly processes: CloudProcesses;
  readonly environment: MagnumEnvironment;
  /** Of the run. */
  readonly folder: string;
  readonly onProgress: (line: string) => void;
}

/**
 * Starts MariaDB with an empty database for Magnum.
 * @throws {AssetError} in one sentence that says what to install.
 */
export async function startMagnumDatabase(options: MagnumDatabaseOptions): Promise<MagnumDatabase> {
  const { processes, environment, folder, onProgress } = options;
  const mariadb = await requireMariadb(onProgress);
  const data = join(folder, 'data', 'mariadb');
  const socket = join(folder, 'data', 'mariadb.sock');
  await mkdir(data);
  await processes.run(dataInstallation(mariadb, data));
  await startMariadb(processes, mariadb, { data, socket });
  const args = [creation, socket, databaseName];
  await processes.run({ name: 'create-databases', command: environment.python, args });
  return { url: `mysql+pymysql://root@localhost/${databaseName}?unix_socket=${socket}`, socket };
}

/** Gives the database Magnum's tables. */
export async function migrateMagnumDatabase(
  processes: CloudProcesses,
  { folder, python }: MagnumEnvironment,
  configuration: string,
): Promise<void> {
  const script = join(folder, 'bin', 'magnum-db-manage');
  const args = [script, '--config-file', configuration, 'upgrade'];
  await processes.run({ name: 'magnum-db-manage', command: python, args });
}
