import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';

export interface FunctionProcessOptions {
  /** Path of the bundle. */
  readonly bundle: string;
  /** `https://host:port` of the API server. */
  readonly server: string;
  /** PEM. */
  readonly caCertificate: string;
  /** Token of the function's ServiceAccount. */
  readonly token: string;
  /** @default a free one */
  readonly port?: number;
  /** @default the function's own default */
  readonly leaseSeconds?: number;
  /** Further variables of the environment. @default none */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether it ends when this process is killed; it takes a little longer to start then. @default false */
  readonly endsWithParent?: boolean;
  /** A command with its arguments, by absolute path, that becomes the process, e.g. `taskset`. @default none */
  readonly launcher?: readonly string[];
  /** Further arguments of Node, and of the bundle. @default none */
  readonly nodeArguments?: readonly string[];
  readonly arguments?: readonly string[];
}

/** A function that runs as in its container: the bundle in a process of its own, configured as a pod. */
export interface FunctionProcess {
  /** Where it takes events. */
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to the line that says that it is ready for events. */
  readonly readyInMs: number;
  /** Each line that it has logged. */
  readonly logLines: readonly string[];
  /** Its exit code; null where a signal has killed it. */
  readonly ended: Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  /** Puts another token of its ServiceAccount in the place of the one that it has, as the kubelet does. */
  replaceToken(token: string): Promise<void>;
  /** Ends it, in order by default, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const endWithParent = new URL('end-with-parent.ts', import.meta.url).href;

const listening = z.object({ msg: z.literal('listening'), port: z.int() });

/** @throws Error with the function's output where it does not start */
export async function startFunction(options: FunctionProcessOptions): Promise<FunctionProcess> {
  const directory = await serviceAccountDirectory(options);
  const startedAt = performance.now();
  const bound = options.endsWithParent === true;
  const [program = process.execPath, ...args] = [
    ...(options.launcher ?? []),
    process.execPath,
    ...(bound ? ['--import', endWithParent] : []),
    ...(options.nodeArguments ?? []),
    options.bundle,
    ...(options.arguments ?? []),
  ];
  const child = spawn(program, args, {
    env: environment(options, directory),
    stdio: ['ignore', 'pipe', 'inherit', ...(bound ? (['ipc'] as const) : [])],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const logLines: string[] = [];
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve)).finally(() => {
    process.off('exit', kill);
    return rm(directory, { recursive: true, force: true });
  });
  const port = await firstPort(child, logLines, ended);
  return {
    url: `http://127.0.0.1:${port}/`,
    pid: child.pid ?? 0,
    readyInMs: performance.now() - startedAt,
    logLines,
    ended,
    signal: (signal) => void child.kill(signal),
    replaceToken: (token) => writeToken(directory, token),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}

async function serviceAccountDirectory({ token, caCertificate }: FunctionProcessOptions): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'magnum-function-'));
  await Promise.all([writeToken(directory, token), writeFile(join(directory, 'ca.crt'), caCertificate)]);
  return directory;
}

/** In one step, so that nobody reads half of it. */
async function writeToken(directory: string, token: string): Promise<void> {
  const next = join(directory, '.token');
  await writeFile(next, token, { mode: 0o600 });
  await rename(next, join(directory, 'token'));
}

function environment(
  { server, port: own = 0, leaseSeconds, variables }: FunctionProcessOptions,
  directory: string,
): NodeJS.ProcessEnv {
  const { hostname, port } = new URL(server);
  return {
    PORT: String(own),
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    SERVICE_ACCOUNT_DIRECTORY: directory,
    ...(leaseSeconds === undefined ? {} : { LEASE_SECONDS: String(leaseSeconds) }),
    ...variables,
  };
}

async function firstPort(child: ChildProcess, logLines: string[], ended: Promise<unknown>): Promise<number> {
  const { stdout } = child;
  if (stdout === null) throw new Error('The function has no output.');
  const lines = createInterface({ input: stdout });
  const port = new Promise<number>((resolve) => {
    lines.on('line', (line) => {
      logLines.push(line);
      const message = listening.safeParse(JSON.parse(line));
      if (message.success) resolve(message.data.port);
    });
  });
  const failure = ended.then(() => {
    throw new Error(`The function ended at its start: ${logLines.join('\n')}`);
  });
  return Promise.race([port, failure]);
}
