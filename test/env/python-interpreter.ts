import { join } from 'node:path';
import { AssetError } from './go-toolchain.ts';
import { runCommand } from './run-command.ts';

const interpreter = 'python3';
const minimumMinor = 11;

/**
 * Version of the Python on the PATH, as `3.11.7`.
 * @param purpose what needs it; begins the sentence of an error
 * @throws {AssetError} where there is none, or one that is too old
 */
export async function pythonVersion(purpose: string): Promise<string> {
  const needs = `${purpose} needs Python 3.${minimumMinor} or newer`;
  const remedy = `install ${interpreter} with its venv module (on Debian, the package python3-venv)`;
  const said = await runCommand(interpreter, ['--version']).catch((cause) => {
    throw new AssetError(`${needs}: ${remedy}.`, { cause });
  });
  const [version, major, minor] = /(\d+)\.(\d+)[\w.+]*/.exec(said) ?? [];
  if (version !== undefined && Number(major) === 3 && Number(minor) >= minimumMinor) return version;
  throw new AssetError(`${needs}, but this is ${said.trim()}: ${remedy}.`);
}

export interface VirtualEnvironmentOptions {
  readonly purpose: string;
  /** Whether pip is in it, which takes seconds. @default true */
  readonly pip?: boolean;
}

/**
 * Makes a virtual environment in an empty folder.
 * @returns path of its Python
 * @throws {AssetError} in one sentence that says what to install
 */
export async function makeVirtualEnvironment(folder: string, options: VirtualEnvironmentOptions): Promise<string> {
  const { purpose, pip = true } = options;
  await runCommand(interpreter, ['-m', 'venv', ...(pip ? [] : ['--without-pip']), folder]).catch((cause) => {
    throw new AssetError(
      `${purpose} needs ${interpreter} with its venv module (on Debian, the package python3-venv): ${messageOf(cause)}`,
      { cause },
    );
  });
  return join(folder, 'bin', 'python');
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
