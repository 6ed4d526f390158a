import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as z from 'zod';

/** What a runtime is told. */
export interface ContainerOptions {
  /** Folder of the unpacked image. */
  readonly rootfs: string;
  /** The entrypoint with its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** `65532:65532`. */
  readonly user: string;
  /** Folders of this machine by where they are mounted, read-only. */
  readonly mounts: Readonly<Record<string, string>>;
}

/** How a runtime starts a container with a read-only root and process ids of its own, on this machine's network. */
export interface StartedContainer {
  /** The runtime in the foreground; it ends as the container's process does. */
  readonly child: ChildProcess;
  /** The container's process 1, as this machine numbers it. */
  pid(): Promise<number>;
  /** Removes what the runtime keeps. */
  clean(): Promise<void>;
}

export interface Runtime {
  readonly name: string;
  start(options: ContainerOptions): Promise<StartedContainer>;
}

export interface Container {
  /** Lines of standard output. */
  readonly lines: readonly string[];
  /** Lines of standard error. */
  readonly complaints: readonly string[];
  /** Its process 1, as this machine numbers it. */
  pid(): Promise<number>;
  /** `http://127.0.0.1:port/`, once it listens. @throws Error with its output where it ends instead */
  url(): Promise<string>;
  signal(signal: NodeJS.Signals): Promise<void>;
  /** The exit code of its process 1. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

const listening = z.object({ msg: z.literal('listening'), port: z.int() });

export async function startContainer(runtime: Runtime, options: ContainerOptions): Promise<Container> {
  const { child, pid, clean } = await runtime.start(options);
  const [lines, complaints]: [string[], string[]] = [[], []];
  const { promise: port, resolve } = Promise.withResolvers<number>();
  readLines(child.stdout, (line) => {
    lines.push(line);
    const message = line.startsWith('{') ? listening.safeParse(JSON.parse(line)) : undefined;
    if (message?.success === true) resolve(message.data.port);
  });
  readLines(child.stderr, (line) => complaints.push(line));
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  const failure = ended.then((code) => {
    throw new Error(`The container ended with ${code}: ${[...lines, ...complaints].join('\n')}`);
  });
  failure.catch(() => undefined);
  const signal = async (name: NodeJS.Signals) => void process.kill(await pid(), name);
  return {
    lines,
    complaints,
    pid,
    url: async () => `http://127.0.0.1:${await Promise.race([port, failure])}/`,
    signal,
    ended,
    async stop() {
      if (child.exitCode === null) await signal('SIGKILL').catch(() => child.kill('SIGKILL'));
      await ended;
      await clean();
    },
  };
}

function readLines(input: ChildProcess['stdout'], onLine: (line: string) => void): void {
  if (input !== null) createInterface({ input }).on('line', onLine);
}

/** Starts a runtime in the foreground. */
export function spawnRuntime(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** What the kernel says of a process: whose it is, what it may, and whether its root is read-only. */
export async function confinementOf(
  pid: number,
): Promise<{ user: string; group: string; capabilities: string; root: string }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
  const mounts = await readFile(`/proc/${pid}/mountinfo`, 'utf8');
  const root = mounts.split('\n').flatMap((line) => {
    const [, , , , place, options = ''] = line.split(' ');
    return place === '/' ? options.split(',') : [];
  });
  const capabilities = field('CapEff');
  return {
    user: field('Uid'),
    group: field('Gid'),
    capabilities,
    root: root.includes('ro') ? 'read-only' : 'writable',
  };
}
