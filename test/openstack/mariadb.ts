import { createConnection } from 'node:net';
import { findProgram, requireDebianProgram } from '../env/debian-packages.ts';
import { runCommand } from '../env/run-command.ts';
import { waitFor } from '../env/wait-for.ts';
import type { CloudCommand, CloudProcesses } from './cloud-processes.ts';

/** Debian's packages of the programs alone: they start no service of the machine. */
const debianPackages = ['mariadb-server-core', 'mariadb-client-core'] as const;

/** Paths of MariaDB's programs. */
export interface Mariadb {
  readonly server: string;
  readonly installer: string;
  /** As the server tells it: its files belong to it. */
  readonly version: string;
}

/**
 * Finds MariaDB; on Debian, as root, installs it.
 * @throws {AssetError} in one sentence that says what to install.
 */
export function requireMariadb(onProgress: (line: string) => void): Promise<Mariadb> {
  const names = debianPackages.join(' and ');
  const advice = `Install MariaDB's server (Debian's packages ${names}): the databases of OpenStack need it`;
  return requireDebianProgram({ packages: debianPackages, advice, find: findMariadb, onProgress });
}

async function findMariadb(): Promise<Mariadb | undefined> {
  const [server, installer] = await Promise.all([findProgram('mariadbd'), findProgram('mariadb-install-db')]);
  if (server === undefined || installer === undefined) return undefined;
  return { server, installer, version: (await runCommand(server, ['--no-defaults', '--version'])).trim() };
}

/** Small, and careless of a crash of the machine: every run has a copy of its own. */
const logFileSize = '--innodb-log-file-size=16M';

/** Makes an empty data folder. */
export function dataInstallation(mariadb: Mariadb, data: string): CloudCommand {
  const login = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  const args = ['--no-defaults', ...asThisUser(), `--datadir=${data}`, ...login, logFileSize];
  return { name: 'mariadb-install-db', command: mariadb.installer, args };
}

/** Starts the server on a socket alone, which only those reach who may enter its folder; returns when it answers. */
export async function startMariadb(
  processes: CloudProcesses,
  mariadb: Mariadb,
  { data, socket }: { readonly data: string; readonly socket: string },
): Promise<void> {
  const memory = ['--innodb-buffer-pool-size=64M', '--performance-schema=OFF', logFileSize];
  const disk = ['--innodb-flush-log-at-trx-commit=0', '--sync-binlog=0', '--character-set-server=utf8mb3'];
  const place = [`--datadir=${data}`, '--skip-networking', `--socket=${socket}`, '--max-connections=300'];
  const args = ['--no-defaults', ...asThisUser(), ...place, ...memory, ...disk];
  processes.start({ name: 'mariadbd', command: mariadb.server, args });
  await waitFor(() => connect(socket), { what: 'mariadbd to answer', signal: processes.signal });
}

/** MariaDB runs as root only when told to. */
function asThisUser(): readonly string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}

function connect(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = createConnection({ path });
    connection.once('error', reject);
    // The server greets first.
    connection.once('data', () => {
      connection.destroy();
      resolve();
    });
  });
}
