import { execFile } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { promisify } from 'node:util';

/** Where and on what something was measured; nothing that tells one machine of a kind from another. */
export interface Circumstances {
  /** Model of the processor. */
  readonly processor: string;
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  /** E.g. `Linux 6.18.44`. */
  readonly kernel: string;
  /** E.g. `v24.21.0`. */
  readonly node: string;
  readonly date: Date;
  /** Short id, with `+` where what is measured has changes that are not committed. */
  readonly commit: string;
}

const gibibyte = 1024 ** 3;

/** What decides what is measured. */
const measured = ['functions', 'shared', 'scripts', 'test/bench', 'package-lock.json'];

export async function readCircumstances(): Promise<Circumstances> {
  const processors = cpus();
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memory: totalmem(),
    kernel: kernelOf(type(), release()),
    node: process.version,
    date: new Date(),
    commit: await readCommit(),
  };
}

/** Without what a builder adds to the version, which may name his machines. */
export function kernelOf(system: string, version: string): string {
  return `${system} ${/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? ''}`.trim();
}

/** One line, e.g. `AMD EPYC, 2 cores, 24 GiB, Linux 6.18.44, Node 24.21.0; 2026-11-30, commit 2630d13`. */
export function describeCircumstances(circumstances: Circumstances): string {
  const { processor, cores, memory, kernel, node, date, commit } = circumstances;
  const machine = [
    processor.trim(),
    cores === 1 ? '1 core' : `${cores} cores`,
    `${Math.round(memory / gibibyte)} GiB`,
    kernel,
    `Node ${node.replace(/^v/, '')}`,
  ];
  return `${machine.join(', ')}; ${date.toISOString().slice(0, 10)}, commit ${commit}`;
}

/** @returns `unknown` outside of a repository */
async function readCommit(): Promise<string> {
  const cwd = new URL('../..', import.meta.url);
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd })).stdout.trim();
  try {
    const changes = await git('status', '--porcelain', '--', ...measured);
    return `${await git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
