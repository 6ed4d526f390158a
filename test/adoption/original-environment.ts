import { dirname } from 'node:path';
import { pythonEnvironment } from '../env/python-environment.ts';
import { helmFolder } from './helm.ts';

/**
 * The original driver's newest release on the package index, with what it needs and does not say: Magnum no longer brings
 * novaclient, and setuptools lost `pkg_resources` in 81.
 */
const requirements = [
  'magnum-cluster-api==0.38.2',
  'magnum==23.0.0',
  'python-novaclient==18.13.1',
  'setuptools==80.9.0',
];

/** What the original driver runs in. */
export interface OriginalEnvironment {
  readonly python: string;
  /** Folders with the programs that it calls. */
  readonly path: readonly string[];
}

/** @throws {AssetError} in one sentence that says what to install. */
export async function originalEnvironment(): Promise<OriginalEnvironment> {
  const onProgress = (line: string) => process.stderr.write(`original driver: ${line}\n`);
  const python = await pythonEnvironment({ purpose: 'The original driver', requirements, onProgress });
  return { python, path: [await helmFolder({ onProgress }), dirname(python)] };
}
