import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../env/wait-for.ts';
import type { CloudCommand, CloudProcesses } from '../openstack/cloud-processes.ts';
import type { MagnumEnvironment } from './magnum-environment.ts';

const serve = fileURLToPath(new URL('../openstack/serve-wsgi.py', import.meta.url));

export interface MagnumProcessOptions {
  readonly processes: CloudProcesses;
  readonly environment: MagnumEnvironment;
  /** Of the run. */
  readonly folder: string;
  /** Path of magnum.conf. */
  readonly configuration: string;
}

/** A part of the stage that a test may end. */
export interface Killable {
  /** Ends it as a power cut would; once it is gone, returns what starts it again as it was. */
  kill(): Promise<() => Promise<void>>;
}

/** Starts magnum-api and gives its URL, without version. */
export async function startMagnumApi(options: MagnumProcessOptions): Promise<string> {
  const { processes, environment, folder, configuration } = options;
  const portFile = join(folder, 'data', 'magnum-api.port');
  const args = [serve, 'magnum.wsgi.api', portFile, '--config-file', configuration];
  processes.start({ name: 'magnum-api', command: environment.python, args, env: shimOf(environment) });
  const port = await waitFor(() => readFile(portFile, 'utf8'), {
    what: 'magnum-api to listen',
    timeout: 120_000,
    signal: processes.signal,
  });
  return `http://127.0.0.1:${port}`;
}

/** @param ready waits until Magnum's API knows of the conductor */
export async function startConductor(options: MagnumProcessOptions, ready: () => Promise<void>): Promise<Killable> {
  const name = 'magnum-conductor';
  options.processes.start(magnumCommand(options, name));
  await waitFor(ready, { what: `${name} to serve`, timeout: 120_000, signal: options.processes.signal });
  return {
    async kill() {
      const startAgain = await options.processes.kill(name);
      // What it is asked meanwhile waits in its queue.
      return async () => startAgain();
    },
  };
}

/** Starts the shim's listener and returns when it answers. */
export async function startListener(options: MagnumProcessOptions, port: number): Promise<Killable> {
  const name = 'magnum-capi-listener';
  const { processes, environment } = options;
  const ready = () =>
    waitFor(() => askHealth(port), { what: `${name} to answer`, timeout: 120_000, signal: processes.signal });
  const script = join(environment.shim, 'bin', name);
  processes.start({ ...magnumCommand(options, name), args: [script, '--config-file', options.configuration] });
  await ready();
  return {
    async kill() {
      const startAgain = await processes.kill(name);
      return async () => {
        startAgain();
        await ready();
      };
    },
  };
}

/** By its Python: the first line of the program names the folder in which the environment was made. */
function magnumCommand({ environment, configuration }: MagnumProcessOptions, name: string): CloudCommand {
  const args = [join(environment.folder, 'bin', name), '--config-file', configuration];
  return { name, command: environment.python, args, env: shimOf(environment) };
}

function shimOf({ shim }: MagnumEnvironment): Readonly<Record<string, string>> {
  return { PYTHONPATH: shim };
}

async function askHealth(port: number): Promise<void> {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/healthz`);
  if (!ok) throw new Error(`it answers ${status}`);
}
