import { readFile } from 'node:fs/promises';
import { pythonEnvironment } from '../../env/python-environment.ts';

/** Every package with its version; Keystone's own comes first. */
const pins = new URL('requirements.txt', import.meta.url);

export interface KeystoneEnvironmentOptions {
  readonly onProgress?: (line: string) => void;
}

/**
 * Path of a Python that has Keystone; installed at first use.
 * @throws {AssetError} in one sentence that says what is missing.
 */
export async function keystonePython(options: KeystoneEnvironmentOptions = {}): Promise<string> {
  const requirements = (await readFile(pins, 'utf8')).trim().split('\n');
  return pythonEnvironment({ purpose: 'The real Keystone', requirements, ...options });
}
