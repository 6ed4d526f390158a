import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

interface PytestOptions {
  /** Folder with the tests and pytest's settings. */
  readonly directory: string;
  /** From the folder. @default all of them */
  readonly files?: readonly string[];
  /** Milliseconds after which it is killed. */
  readonly timeout: number;
  /** Gets the share of the tests that have run, as `40 %`. */
  readonly onProgress: (share: string) => void;
}

/** At the end of pytest's lines of dots. */
const share = /\[ *(\d+)%\]$/;

/**
 * Runs the tests of a folder with pytest; it ends with this process at the latest.
 * @returns its last line, as `40 passed in 2.1s`
 * @throws {Error} with all of its output when a test failed, or time was up
 */
export async function runPytest(
  python: string,
  { directory, files = [], timeout, onProgress }: PytestOptions,
): Promise<string> {
  const args = ['-P', '-m', 'pytest', '--quiet', '--color=no', '--tb=short', '-p', 'no:cacheprovider', ...files];
  const child = spawn(python, args, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve(signal ?? String(code)));
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const [, percent] = share.exec(line) ?? [];
    if (percent !== undefined) onProgress(`${percent} %`);
  });
  try {
    const [complaint, end] = await Promise.all([text(child.stderr), ended]);
    if (end === '0') return lines.at(-1) ?? '';
    const words = end === 'SIGKILL' ? `was killed after ${timeout / 1000} s` : `ended with ${end}`;
    throw new Error(`pytest ${words}:\n${[...lines, complaint].join('\n').trimEnd()}`);
  } finally {
    process.off('exit', stop);
  }
}
