import { CommandError, runCommand } from './run-command.ts';

const compiler = 'go';
const minimumMinor = 25;
const remedy =
  'install it from https://go.dev/doc/install, or set TEST_ASSETS_DIR to a folder that has the binaries already';

/** What the tests run on is missing and cannot be built; the message is one readable sentence. */
export class AssetError extends Error {
  override readonly name = 'AssetError';
}

/**
 * Runs `go` in a folder and returns what it prints.
 * @throws {AssetError} when there is no Go, or it fails.
 */
export async function runGo(directory: string, args: readonly string[]): Promise<string> {
  // The user's flags and workspace are meant for other modules; without cgo a binary runs on any Linux.
  const environment = { ...process.env, GOFLAGS: '-buildvcs=false', GOWORK: 'off', CGO_ENABLED: '0' };
  try {
    return await runCommand(compiler, args, { directory, environment });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw error.missing ? missingGo(error) : new AssetError(error.message, { cause: error });
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
