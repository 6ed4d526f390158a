import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Command lines of the running processes whose arguments name a folder. */
export async function processesNaming(folder: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'], { maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').filter((command) => command.includes(folder));
}
