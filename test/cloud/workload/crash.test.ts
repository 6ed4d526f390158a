import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { processesNaming } from './processes-naming.ts';

const module = (name: string) => new URL(name, import.meta.url);
const program = `
import { createWorkloadCluster } from '${module('workload-cluster.ts')}';
import { makeAuthorities } from '${module('example-authorities.ts')}';
import { firstMachine } from '${module('example-machines.ts')}';
const [, directory, managementEtcdUrl] = process.argv;
const authorities = await makeAuthorities('crash', 'ECDSA');
const cluster = await createWorkloadCluster({ name: 'crash', authorities, directory, managementEtcdUrl });
await cluster.boot(firstMachine('cp-1'));
console.log('up');
`;

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'workload-crash-test-'));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

test('nothing runs on when the process that made a cluster is killed', async () => {
  const directory = join(root, 'cluster');
  const args = ['--input-type=module', '--eval', program, directory, inject('etcdUrl')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  expect(value).toBe('up');
  const running = (await processesNaming(directory)).join('\n');
  for (const program of ['/etcd ', '/kube-apiserver ', '/workload-kubelet-', 'reaper.ts']) {
    expect(running).toContain(program);
  }
  child.kill('SIGKILL');
  await expect.poll(() => processesNaming(directory), { timeout: 20_000 }).toEqual([]);
  // The logs remain for whoever looks into it, the keys do not.
  expect(await readdir(directory)).toEqual(['logs']);
});
