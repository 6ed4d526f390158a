import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { partError } from '../../env/control-plane-error.ts';
import { type Reaper, startReaper } from '../../env/start-reaper.ts';
import { waitFor } from '../../env/wait-for.ts';
import { keystonePython } from './keystone-environment.ts';
import { createKeystoneFolder, type KeystoneFolder, removeKeystoneFolder } from './keystone-folder.ts';

const name = 'keystone';
const script = fileURLToPath(new URL('serve.py', import.meta.url));

export interface KeystoneOptions {
  readonly onProgress?: (line: string) => void;
  /** Lifetime of a token in seconds. @default 3600, Keystone's own */
  readonly tokenSeconds?: number;
  /** Python to run it with. @default one that has Keystone */
  readonly python?: string;
}

/** A real Keystone of one process, with one user, one project and no catalogue. It ends at the latest with this process. */
export interface Keystone {
  /** `http://127.0.0.1:<port>`, without version. */
  readonly authUrl: string;
  /** The administrator: user, project and role of that name in the domain `default`. */
  readonly admin: { readonly name: 'admin'; readonly password: string };
  /** Files of the run; its folder `logs` remains where the process that started it was killed. */
  readonly directory: string;
  /** Process id; undefined once it has ended. */
  readonly pid: number | undefined;
  /** Ends the process and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts Keystone with an empty database.
 * @throws {AssetError} when it cannot be installed.
 * @throws {ControlPlaneError} when it does not start, with the end of its log.
 */
export async function startKeystone(options: KeystoneOptions = {}): Promise<Keystone> {
  const { onProgress = () => undefined, tokenSeconds = 3600 } = options;
  const python = options.python ?? (await keystonePython({ onProgress }));
  const folder = await createKeystoneFolder(tokenSeconds);
  const logPath = join(folder.logs, `${name}.log`);
  const controller = new AbortController();
  const reaper = startReaper({
    dataDirectory: folder.data,
    logPath: join(folder.logs, 'reaper.log'),
    onEnd(end) {
      controller.abort(partError(`${end.name} ended with ${end.how}.`, logPath));
      onProgress(`${end.name} ended with ${end.how}, its log is ${logPath}`);
    },
  });
  const password = randomBytes(18).toString('base64url');
  const env = { HOME: folder.data, TMPDIR: folder.data, ADMIN_PASSWORD: password };
  reaper.start({ name, command: python, args: [script, folder.data], env, logPath });
  try {
    const authUrl = await untilServed(folder, controller.signal);
    return running({ folder, reaper, authUrl, password });
  } catch (error) {
    await reaper.stop();
    throw controller.signal.aborted ? controller.signal.reason : partError(messageOf(error), logPath, error);
  }
}

/** The URL, once Keystone answers at it. */
function untilServed({ port }: KeystoneFolder, signal: AbortSignal): Promise<string> {
  const probe = async () => {
    const url = `http://127.0.0.1:${await readFile(port, 'utf8')}`;
    const { status } = await fetch(`${url}/v3`, { signal: AbortSignal.timeout(5_000) });
    if (status !== 200) throw new Error(`it answers ${status}`);
    return url;
  };
  return waitFor(probe, { what: 'keystone to be ready', timeout: 90_000, signal });
}

interface Running {
  readonly folder: KeystoneFolder;
  readonly reaper: Reaper;
  readonly authUrl: string;
  readonly password: string;
}

function running({ folder, reaper, authUrl, password }: Running): Keystone {
  return {
    authUrl,
    admin: { name: 'admin', password },
    directory: folder.directory,
    get pid() {
      return reaper.pids.get(name);
    },
    async stop() {
      await reaper.stop();
      await removeKeystoneFolder(folder);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
