import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { connectApi, type KubernetesApi } from '../../env/kubernetes-api.ts';
import { createSigner } from './certificate-signer.ts';
import { makeAuthorities } from './example-authorities.ts';
import { controlPlaneMachine, firstFlatcarMachine, firstMachine, workerMachine } from './example-machines.ts';
import { forwardPort, post } from './pod-connection.ts';
import { processesNaming } from './processes-naming.ts';
import { type ClusterAuthorities, createWorkloadCluster, type WorkloadCluster } from './workload-cluster.ts';

let root: string;
let authorities: ClusterAuthorities;
let cluster: WorkloadCluster;
let api: KubernetesApi;
const lines: string[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'workload-cluster-test-'));
  authorities = await makeAuthorities('kube-abcde', 'ECDSA');
  cluster = await createWorkloadCluster({
    name: 'kube-abcde',
    authorities,
    directory: join(root, 'cluster'),
    managementEtcdUrl: inject('etcdUrl'),
    onProgress: (line) => lines.push(line),
  });
  api = connectApi(cluster.access);
});

afterAll(async () => {
  api?.close();
  await cluster?.stop();
  await rm(root, { recursive: true, force: true });
});

const nodeSchema = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.object({
    providerID: z.string(),
    taints: z.array(z.object({ key: z.string(), effect: z.string() })).default([]),
  }),
  status: z.object({
    addresses: z.array(z.object({ type: z.string(), address: z.string() })),
    conditions: z.array(z.object({ type: z.string(), status: z.string() })),
    nodeInfo: z.object({ kubeletVersion: z.string() }),
  }),
});

async function node(name: string) {
  return nodeSchema.parse(await api.call('GET', `/api/v1/nodes/${name}`));
}

async function ready(name: string): Promise<string | undefined> {
  return (await node(name)).status.conditions.find(({ type }) => type === 'Ready')?.status;
}

/** Names of the etcd members, asked through the API server and a node's kubelet as the control plane provider does. */
async function membersBy(name: string): Promise<string[]> {
  const client = await (await createSigner(authorities.etcd)).sign({ commonName: 'cluster-api.x-k8s.io' });
  const connection = await forwardPort(cluster.access, { namespace: 'kube-system', pod: `etcd-${name}`, port: 2379 });
  const path = '/v3/cluster/member/list';
  const answer = await post(connection, { authority: authorities.etcd.certificate, client, path });
  const { members } = z.object({ members: z.array(z.object({ name: z.string() })) }).parse(JSON.parse(answer));
  return members.map((member) => member.name).sort();
}

function refuses({ host, port }: WorkloadCluster['endpoint']): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => resolve('connected'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    socket.once('close', () => socket.destroy());
  });
}

test('before the first machine the endpoint refuses connections, and nobody can join', async () => {
  expect(await refuses(cluster.endpoint)).toBe('ECONNREFUSED');
  await expect(cluster.boot(controlPlaneMachine('early'))).rejects.toThrow(
    'no control plane yet that early could join',
  );
  await expect(cluster.boot(workerMachine('early-worker'))).rejects.toThrow('no cluster that early-worker could join');
  await cluster.powerOff('early');
  await cluster.powerOff('early-worker');
});

test('the first machine founds the cluster as kubeadm would', async () => {
  await cluster.boot(firstMachine('cp-1'));
  const { metadata, spec, status } = await node('cp-1');
  expect(metadata.labels).toMatchObject({
    'node-role.kubernetes.io/control-plane': '',
    'kubernetes.io/hostname': 'cp-1',
  });
  expect(spec).toEqual({
    providerID: 'openstack:///cp-1',
    taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
  });
  expect(status.addresses).toContainEqual({ type: 'InternalIP', address: '10.6.0.11' });
  expect(status.nodeInfo.kubeletVersion).toBe('v1.34.1');
  expect(Object.fromEntries(status.conditions.map((one) => [one.type, one.status]))).toEqual({
    Ready: 'True',
    MemoryPressure: 'False',
    DiskPressure: 'False',
    PIDPressure: 'False',
  });
  const config = await api.call('GET', '/api/v1/namespaces/kube-system/configmaps/kubeadm-config');
  expect(config).toMatchObject({ data: { ClusterConfiguration: expect.stringMatching(/^clusterName: kube-abcde$/m) } });
  expect(await membersBy('cp-1')).toEqual(['cp-1']);
});

test('more machines join at the same time, one etcd member after the other', async () => {
  await Promise.all([
    cluster.boot(controlPlaneMachine('cp-2')),
    cluster.boot(controlPlaneMachine('cp-3')),
    cluster.boot(workerMachine('worker-1')),
  ]);
  expect(await membersBy('cp-2')).toEqual(['cp-1', 'cp-2', 'cp-3']);
  expect(await membersBy('cp-3')).toEqual(['cp-1', 'cp-2', 'cp-3']);
  const worker = await node('worker-1');
  expect(worker.metadata.labels).toMatchObject({ 'example.com/pool': 'blue' });
  expect(worker.spec.taints).toEqual([{ key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' }]);
});

test('no second machine founds the cluster', async () => {
  await expect(cluster.boot(firstMachine('second'))).rejects.toThrow('second would found a second control plane');
  await cluster.powerOff('second');
});

test('booting again changes nothing', async () => {
  const before = await api.call('GET', '/api/v1/nodes/cp-2');
  await cluster.boot(controlPlaneMachine('cp-2'));
  expect(await api.call('GET', '/api/v1/nodes/cp-2')).toEqual(before);
});

test('static pods are mirrored by the node itself, and are Ready', async () => {
  const components = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
  for (const component of components) {
    expect(await api.call('GET', `/api/v1/namespaces/kube-system/pods/${component}-cp-3`)).toMatchObject({
      metadata: { annotations: { 'kubernetes.io/config.mirror': expect.any(String) }, labels: { component } },
      spec: { nodeName: 'cp-3' },
      status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]) },
    });
  }
});

test("the certificate of a node's API server is seen through its pod", async () => {
  const pod = { namespace: 'kube-system', pod: 'kube-apiserver-cp-2', port: 6443 };
  const client = { certificate: cluster.access.clientCertificate, privateKey: cluster.access.clientKey };
  const call = { authority: authorities.ca.certificate, client, path: '/apis/authentication.k8s.io/v1/tokenreviews' };
  expect(JSON.parse(await post(await forwardPort(cluster.access, pod), call))).toMatchObject({ kind: 'Status' });
});

test('a label that a kubelet may not set keeps a machine out', async () => {
  const configuration = `kind: JoinConfiguration
nodeRegistration: {kubeletExtraArgs: [{name: node-labels, value: node-role.kubernetes.io/worker=}]}`;
  await expect(cluster.boot(workerMachine('vain', configuration))).rejects.toThrow(
    /not allowed to set the following labels/,
  );
  await cluster.powerOff('vain');
});

test('a terminating pod ends where its kubelet runs', async () => {
  const pods = '/api/v1/namespaces/default/pods';
  const metadata = { name: 'app', finalizers: ['example.com/hold'] };
  await api.call('POST', pods, {
    metadata,
    spec: { nodeName: 'worker-1', containers: [{ name: 'app', image: 'app' }] },
  });
  await api.call('DELETE', `${pods}/app`, { gracePeriodSeconds: 600 });
  await expect
    .poll(() => api.call('GET', `${pods}/app`), { timeout: 20_000 })
    .toMatchObject({
      metadata: { deletionGracePeriodSeconds: 0 },
    });
  await api.call('PATCH', `${pods}/app`, { metadata: { finalizers: null } });
  await expect.poll(() => api.call('GET', `${pods}/app`).catch(String), { timeout: 20_000 }).toContain('404');
});

test('another cluster of the same name has nothing of this one', async () => {
  const other = await createWorkloadCluster({
    name: 'kube-abcde',
    authorities: await makeAuthorities('kube-abcde', 'RSA'),
    directory: join(root, 'other'),
    managementEtcdUrl: inject('etcdUrl'),
  });
  const otherApi = connectApi(other.access);
  try {
    await other.boot(firstFlatcarMachine('flatcar-1'));
    expect(await otherApi.call('GET', '/api/v1/nodes')).toMatchObject({ items: [{ metadata: { name: 'flatcar-1' } }] });
    const workloads = '/apis/apps/v1/namespaces/kube-system';
    expect(await otherApi.call('GET', `${workloads}/deployments`)).toMatchObject({
      items: [{ metadata: { name: 'coredns' } }],
    });
    expect(await otherApi.call('GET', `${workloads}/daemonsets`)).toMatchObject({ items: [] });
    expect(await api.call('GET', `${workloads}/daemonsets`)).toMatchObject({
      items: [{ metadata: { name: 'kube-proxy' } }],
    });
  } finally {
    otherApi.close();
    await other.stop();
  }
  expect(await ready('cp-1')).toBe('True');
});

test('a killed machine is unreachable until it is revived', async () => {
  await cluster.kill('cp-3');
  expect((await node('cp-3')).status.conditions.map(({ status }) => status)).toEqual(Array(4).fill('Unknown'));
  expect((await node('cp-3')).spec.taints).toContainEqual(
    expect.objectContaining({ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }),
  );
  await expect(membersBy('cp-3')).rejects.toThrow();
  expect(await membersBy('cp-1')).toEqual(['cp-1', 'cp-2', 'cp-3']);
  await cluster.revive('cp-3');
  expect(await ready('cp-3')).toBe('True');
  expect((await node('cp-3')).spec.taints.map(({ key }) => key)).toEqual(['node-role.kubernetes.io/control-plane']);
  await expect.poll(() => membersBy('cp-3').catch(String), { timeout: 30_000 }).toEqual(['cp-1', 'cp-2', 'cp-3']);
});

test('a server that is deleted takes its member along, and its Node goes', async () => {
  await cluster.powerOff('cp-3');
  await expect(membersBy('cp-3')).rejects.toThrow();
  expect(await ready('cp-3')).toBe('True');
  await expect.poll(() => node('cp-3').catch(String), { timeout: 30_000 }).toContain('404');
  const pod = '/api/v1/namespaces/kube-system/pods/etcd-cp-3';
  await expect.poll(() => api.call('GET', pod).catch(String), { timeout: 10_000 }).toContain('404');
  await cluster.powerOff('cp-3');
});

test('a paused API server answers nobody, and then everybody', async () => {
  cluster.pauseApi();
  const answer = node('cp-1');
  expect(await Promise.race([answer, refuses(cluster.endpoint)])).toBe('connected');
  await cluster.kill('worker-1');
  cluster.resumeApi();
  await answer;
  await expect.poll(() => ready('worker-1'), { timeout: 10_000 }).toBe('Unknown');
});

test('without a quorum the API server hangs, and without a control plane machine it is gone', async () => {
  await cluster.kill('cp-2');
  const call = node('cp-1').catch(String);
  expect(await Promise.race([call, refuses(cluster.endpoint)])).toBe('connected');
  await cluster.kill('cp-1');
  await expect(call).resolves.toContain('Error');
  expect(await refuses(cluster.endpoint)).toBe('ECONNREFUSED');
  await cluster.revive('cp-1');
  expect(await refuses(cluster.endpoint)).toBe('ECONNREFUSED');
  await cluster.revive('cp-2');
  expect([await ready('cp-1'), await ready('cp-2')]).toEqual(['True', 'True']);
  await expect.poll(() => membersBy('cp-2').catch(String), { timeout: 30_000 }).toEqual(['cp-1', 'cp-2', 'cp-3']);
});

test('nothing but logs is left after stop', async () => {
  const folder = join(root, 'cluster');
  await cluster.stop();
  expect(await refuses(cluster.endpoint)).toBe('ECONNREFUSED');
  expect(await readdir(folder)).toEqual(['logs']);
  expect(await processesNaming(folder)).toEqual([]);
  expect(await keysOf('kube-abcde')).toBe('0');
  expect(lines.filter((line) => line.includes('ended'))).toEqual([]);
});

/** How many keys of the management etcd belong to workload clusters of a name. */
async function keysOf(name: string): Promise<string> {
  const base64 = (key: string) => Buffer.from(key).toString('base64');
  const range = { key: base64(`/workload/${name}-`), range_end: base64(`/workload/${name}.`), count_only: true };
  const answer = await fetch(`${inject('etcdUrl')}/v3/kv/range`, { method: 'POST', body: JSON.stringify(range) });
  return z.object({ count: z.string().default('0') }).parse(await answer.json()).count;
}
