import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { clusterSnapshot } from '../../shared/magnum/snapshot.ts';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { magnumConfiguration } from './magnum-configuration.ts';
import { originalEnvironment } from './original-environment.ts';

const script = fileURLToPath(new URL('./original-driver.py', import.meta.url));

const magnumRows = z.object({
  cluster: clusterSnapshot,
  cluster_template: z.looseObject({}),
  nodegroups: z.array(z.looseObject({ uuid: z.string(), name: z.string(), status: z.string() })),
});
/** What Magnum knows of a cluster, as it hands it over to a driver. */
export type MagnumRows = z.infer<typeof magnumRows>;

const ready = z.object({ ready: z.string() });
const answer = z.object({ error: z.string().optional(), rows: magnumRows.nullable() });

export interface OriginalDriverOptions {
  readonly kubeconfigPath: string;
  readonly cloud: SimulatedOpenStack;
}

/** The original driver in a process of its own, below Magnum's conductor and a database of Magnum. */
export class OriginalDriver {
  /** Of the wheel. */
  readonly version: string;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #directory: string;
  readonly #cloud: SimulatedOpenStack;

  private constructor(started: Started, version: string, cloud: SimulatedOpenStack) {
    this.#process = started.process;
    this.#lines = started.lines;
    this.#directory = started.directory;
    this.#cloud = cloud;
    this.version = version;
  }

  /** @throws Error where Python, Go or the packages are missing, in one sentence */
  static async start(options: OriginalDriverOptions): Promise<OriginalDriver> {
    const started = await startProcess(options);
    const first = ready.parse(JSON.parse(await nextLine(started)));
    return new OriginalDriver(started, first.ready, options.cloud);
  }

  /**
   * Has the driver carry out one of the script's commands as the user demo.
   * @returns what Magnum knows of the cluster then; null once it is gone
   * @throws Error with the driver's or Magnum's words
   */
  async ask(command: string, parameters: Readonly<Record<string, unknown>>): Promise<MagnumRows | null> {
    const token = this.#cloud.issueToken({ user: 'demo', project: 'demo' });
    this.#process.stdin.write(
      `${JSON.stringify({ command, auth_url: `${this.#cloud.authUrl}/v3`, token, ...parameters })}\n`,
    );
    const line = await nextLine({ lines: this.#lines, directory: this.#directory });
    const { error, rows } = answer.parse(JSON.parse(line));
    if (error !== undefined) throw new Error(`The original driver refused to ${command}: ${error}`);
    return rows;
  }

  /** As `ask`. @throws Error also where the cluster is gone */
  async order(command: string, parameters: Readonly<Record<string, unknown>>): Promise<MagnumRows> {
    const rows = await this.ask(command, parameters);
    if (rows === null) throw new Error(`Magnum forgot the cluster at ${command}.`);
    return rows;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.#directory, { recursive: true, force: true });
  }
}

interface Started {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: AsyncIterator<string>;
  readonly directory: string;
}

async function startProcess({ kubeconfigPath, cloud }: OriginalDriverOptions): Promise<Started> {
  const { python, path } = await originalEnvironment();
  const directory = await mkdtemp(join(tmpdir(), 'magnum-original-'));
  const configuration = join(directory, 'magnum.conf');
  await writeFile(configuration, magnumConfiguration(directory, cloud), { mode: 0o600 });
  const child = spawn(python, [script, configuration], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: [...path, process.env['PATH']].join(delimiter),
      KUBECONFIG: kubeconfigPath,
      // Helm's caches and the driver's cache of server groups.
      HOME: directory,
      TMPDIR: directory,
    },
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { process: child, lines, directory };
}

async function nextLine({ lines, directory }: Pick<Started, 'lines' | 'directory'>): Promise<string> {
  const { value, done } = await lines.next();
  if (done === true) throw new Error(`The original driver ended; its log is in ${directory}.`);
  return value;
}
