import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const compiler = 'go';
const minimumMinor = 25;
const remedy =
  'install it from https://go.dev/doc/install, or set TEST_ASSETS_DIR to a folder that has the binaries already';

/** The assets of the test control plane are missing and cannot be built; the message is one readable sentence. */
export class AssetError extends Error {
  override readonly name = 'AssetError';
}

/**
 * Runs `go` in a folder and returns what it prints.
 * @throws {AssetError} when there is no Go, or it fails.
 */
export async function runGo(directory: string, args: readonly string[]): Promise<string> {
  const child = spawn(compiler, args, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The user's flags and workspace are meant for other modules; without cgo a binary runs on any Linux.
    env: { ...process.env, GOFLAGS: '-buildvcs=false', GOWORK: 'off', CGO_ENABLED: '0' },
  });
  const stop = () => child.kill();
  process.once('exit', stop);
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  try {
    const [output, complaint, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code !== 0) {
      throw new AssetError(`"${compiler} ${args.join(' ')}" failed:\n${lastLines(complaint)}`);
    }
    return output;
  } catch (error) {
    throw error instanceof AssetError ? error : missingGo(error);
  } finally {
    process.off('exit', stop);
  }
}

/** @throws {AssetError} when Go is missing or older than the oldest one that builds the parts. */
export async function requireGo(directory: string): Promise<void> {
  const version = (await runGo(directory, ['env', 'GOVERSION'])).trim();
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || Number(major) > 1 || Number(minor) >= minimumMinor) {
    return;
  }
  throw new AssetError(
    `Building the test control plane needs Go 1.${minimumMinor} or newer, but this is ${version}: ${remedy}.`,
  );
}

function missingGo(cause: unknown): AssetError {
  return new AssetError(`Building the test control plane needs Go 1.${minimumMinor} or newer: ${remedy}.`, { cause });
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-15).join('\n');
}
