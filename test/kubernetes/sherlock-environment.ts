import { execFile } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withBuildLock } from '../env/build-lock.ts';

const run = promisify(execFile);

/** What the original driver's lock is made of. */
const packages = ['sherlock==0.4.1', 'kubernetes==37.0.2'];

/**
 * Path of a Python that has sherlock; made once, in the project's cache folder.
 * @throws Error in one sentence that says what to install.
 */
export async function sherlockPython(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const cache = join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'magnum-capi-functions');
  const folder = join(cache, packages.join('-').replaceAll('==', '-'));
  const complete = join(folder, 'complete');
  await mkdir(cache, { recursive: true });
  await withBuildLock(`${folder}.lock`, async () => {
    if (await exists(complete)) return;
    await install(folder);
    await writeFile(complete, '');
  });
  return join(folder, 'bin', 'python');
}

async function install(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  print('making a Python environment for sherlock');
  await run('python3', ['-m', 'venv', folder]).catch((cause) => {
    throw new Error('Install python3 with its venv module (python3-venv): the real sherlock needs it.', { cause });
  });
  print(`installing ${packages.join(' and ')}`);
  await run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...packages]).catch((cause) => {
    throw new Error(`Let pip reach a package index: ${packages.join(' and ')} could not be installed.`, { cause });
  });
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function print(line: string): void {
  process.stderr.write(`sherlock: ${line}\n`);
}
