import { readFile } from 'node:fs/promises';
import { pythonEnvironment, pythonWheels } from '../env/python-environment.ts';

/** The oldest and the newest Magnum that the shim is for, by the major version of their releases. */
export const magnumReleases = ['20', '23'] as const;
export type MagnumRelease = (typeof magnumReleases)[number];

const purpose = 'The test of the shim';

export interface ShimPackages {
  /** Path of a Python with Magnum of that release, and nothing of the shim's. */
  readonly python: string;
  /** Folder with the wheels of what the shim, its build and its tests need beside Magnum. */
  readonly wheels: string;
}

/**
 * What the shim is tried with; fetched once, into the project's cache folder.
 * @throws {AssetError} in one sentence that says what is missing
 */
export async function shimPackages(
  release: MagnumRelease,
  onProgress = (line: string): unknown => process.stderr.write(`shim: ${line}\n`),
): Promise<ShimPackages> {
  const options = { purpose, onProgress };
  return {
    python: await pythonEnvironment({ ...options, requirements: await pins(`magnum-${release}`) }),
    wheels: await pythonWheels({ ...options, requirements: await pins('beside-magnum') }),
  };
}

/** Every package with its version. */
async function pins(name: string): Promise<string[]> {
  const text = await readFile(new URL(`${name}.txt`, import.meta.url), 'utf8');
  return text.trim().split('\n');
}
