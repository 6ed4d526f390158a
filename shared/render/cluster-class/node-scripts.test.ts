import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { kubeProxyFile } from './kube-proxy.ts';

const run = promisify(execFile);
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'node-scripts-'));
});

afterEach(() => rm(directory, { recursive: true }));

describe("the script for kube-proxy's metrics", () => {
  const clusterConfiguration = '---\napiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n';
  const joinConfiguration = '---\napiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\n';
  const addition = `---
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
metricsBindAddress: 0.0.0.0:10249
`;

  async function configure(): Promise<void> {
    const script = Buffer.from(kubeProxyFile.content, 'base64').toString();
    const here = script.replaceAll('/run/kubeadm/', `${directory}/`).replaceAll('/etc/', `${directory}/`);
    await run('sh', ['-c', here]);
  }

  test.each(['kubeadm.yaml', 'kubeadm.yml'])('adds them once to the file %s', async (file) => {
    await writeFile(join(directory, file), clusterConfiguration);
    await configure();
    await configure();
    expect(await readFile(join(directory, file), 'utf8')).toBe(clusterConfiguration + addition);
    expect(await readdir(directory)).toEqual([file]);
  });

  test('leaves the file of a node that joins', async () => {
    await writeFile(join(directory, 'kubeadm.yml'), joinConfiguration);
    await configure();
    expect(await readFile(join(directory, 'kubeadm.yml'), 'utf8')).toBe(joinConfiguration);
  });
});
