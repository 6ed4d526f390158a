import { pythonEnvironment } from '../env/python-environment.ts';

/** What the original driver's lock is made of. */
const requirements = ['sherlock==0.4.1', 'kubernetes==37.0.2'];

/**
 * Path of a Python that has sherlock.
 * @throws {AssetError} in one sentence that says what to install.
 */
export function sherlockPython(): Promise<string> {
  const onProgress = (line: string) => process.stderr.write(`sherlock: ${line}\n`);
  return pythonEnvironment({ purpose: 'The real sherlock', requirements, onProgress });
}
