import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedOpenStack } from '../openstack/simulated-openstack.ts';
import { processesNaming } from '../workload/processes-naming.ts';
import { type Keystone, startKeystone } from './keystone.ts';
import { KeystoneError, passwordToken } from './keystone-api.ts';
import { keystonePython } from './keystone-environment.ts';

const program = `
import { startKeystone } from '${new URL('keystone.ts', import.meta.url)}';
console.log((await startKeystone()).directory);
`;

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'keystone-test-'));
  await keystonePython();
}, 600_000);

afterAll(() => rm(root, { recursive: true }));

/** A stand-in for Python. */
async function script(lines: string): Promise<string> {
  const path = join(root, 'python');
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, 0o755);
  return path;
}

async function stop(keystone: Keystone): Promise<void> {
  await keystone.stop();
  expect(await processesNaming(keystone.directory)).toEqual([]);
  await expect(readdir(keystone.directory)).rejects.toThrow('ENOENT');
}

test('two run side by side, each with a user of its own; nothing is left once they are stopped', async () => {
  const [one, two] = await Promise.all([startKeystone(), startKeystone()]);
  const login = { ...one.admin, project: 'admin' };
  expect(await passwordToken(one.authUrl, login)).toMatch(/^gAAAA/);
  await expect(passwordToken(two.authUrl, login)).rejects.toThrow(KeystoneError);
  expect((await processesNaming(one.directory)).join('\n')).not.toContain(one.admin.password);
  expect(await readFile(join(one.directory, 'logs', 'keystone.log'), 'utf8')).not.toContain(one.admin.password);
  await Promise.all([stop(one), stop(two)]);
});

test('one that ends by itself is an error that shows the end of its log', async () => {
  const python = await script('echo "no module named keystone" >&2; exit 3');
  const lines: string[] = [];
  const error = await startKeystone({ python, onProgress: (line) => lines.push(line) }).catch(String);
  const [, log] = /: keystone ended with exit code 3\. Its log, (.+), ends with:\nno module named keystone$/.exec(
    String(error),
  )!;
  await rm(dirname(dirname(log!)), { recursive: true });
  expect(lines).toEqual([expect.stringContaining('keystone ended with exit code 3')]);
});

test('the simulated services answer 503 once Keystone has crashed', async () => {
  const keystone = await startKeystone();
  const cloud = await startSimulatedOpenStack({ keystone });
  const token = await cloud.identity.signIn({ user: 'demo', project: 'demo' });
  process.kill(keystone.pid!, 'SIGKILL');
  await expect.poll(() => keystone.pid, { timeout: 20_000 }).toBeUndefined();
  const headers = { 'x-auth-token': token };
  const answer = await fetch(new URL('/compute/v2.1/flavors/detail', cloud.authUrl), { headers });
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('temporarily unavailable')]);
  await cloud.stop();
  await stop(keystone);
});

test('nothing runs on when the process that started it is killed', async () => {
  const args = ['--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [directory = ''] = await once(createInterface({ input: child.stdout }), 'line');
  expect((await processesNaming(directory)).join('\n')).toContain('serve.py');
  child.kill('SIGKILL');
  await expect.poll(() => processesNaming(directory), { timeout: 20_000 }).toEqual([]);
  // The logs remain for whoever looks into it, the keys do not.
  expect(await readdir(directory)).toEqual(['logs']);
  await rm(directory, { recursive: true });
});
