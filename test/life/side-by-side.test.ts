import { expect, test, vi } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { cloudStageOfFile, type Viewed } from '../cloud/cloud-stage.ts';
import { waitFor } from '../env/wait-for.ts';

const stage = cloudStageOfFile();

const patience = 480_000;
const version = 'v1.33.4';
const shape = { masters: 1, workers: 1, version };

/** The workers of a cluster, by their Machines. */
async function workersOf(stackId: string): Promise<readonly Viewed[]> {
  const machines = await stage().objectsOf(resources.machine, stackId);
  return machines.filter(({ metadata }) => !('cluster.x-k8s.io/control-plane' in Object(metadata['labels'])));
}

async function areReady(stackId: string): Promise<boolean> {
  const conditions = (await workersOf(stackId)).flatMap(({ status }) => status.conditions);
  return conditions.every(({ type, status }) => type !== 'Ready' || status === 'True');
}

function untilTrue(what: string, holds: () => Promise<boolean>): Promise<void> {
  const probe = async () => {
    if (!(await holds())) throw new Error('not yet');
  };
  return waitFor(probe, { what, timeout: patience });
}

test('Three clusters come up side by side while a fourth has no load balancer; then that one does too', async () => {
  const { create, settled, remove, capo, cloud, objectsOf } = stage();
  const names = await Promise.all([1, 2, 3].map(() => create({ workers: { node_count: 1 } })));
  await untilTrue('three load balancers', async () => cloud.state.loadBalancers.length === 3);
  const heal = capo.faults.set({ kind: 'infrastructure-fails', part: 'load-balancer' });
  const fourth = await create({ workers: { node_count: 1 } });
  await Promise.all(names.map((name) => settled(name, shape, patience)));
  expect(await objectsOf(resources.openStackServer, fourth)).toEqual([]);
  expect(new Set(names.map((name) => capo.workloadCluster(name)?.endpoint.port)).size).toBe(3);
  heal();
  await settled(fourth, shape, patience);
  const [first = '', ...others] = [...names, fourth];
  await Promise.all(others.map((name) => remove(name, patience)));
  await settled(first, shape, patience);
  await remove(first, patience);
  expect(cloud.state.servers).toEqual([]);
});

test('A worker without quota or host comes up when its Machine is replaced; a dead one comes back', async () => {
  const { create, settled, change, remove, capo, objectsOf, kubernetes } = stage();
  const stackId = await create({ workers: { node_count: 1 } });
  await settled(stackId, shape, patience);
  const scaled = '/spec/topology/workers/machineDeployments/0/replicas';
  for (const kind of ['quota-exceeded', 'no-valid-host'] as const) {
    const heal = capo.faults.set({ kind, cluster: stackId, role: 'worker' });
    await change(stackId, [{ op: 'replace', path: scaled, value: 2 }]);
    let failed = '';
    await untilTrue(`a server with ${kind}`, async () => {
      const servers = await objectsOf(resources.openStackServer, stackId);
      failed = servers.find(({ status }) => status['instanceState'] === 'ERROR')?.metadata.name ?? '';
      return failed !== '';
    });
    heal();
    expect(await areReady(stackId)).toBe(false);
    await kubernetes.delete(resources.machine, { namespace, name: failed });
    await settled(stackId, { ...shape, workers: 2 }, patience);
    await change(stackId, [{ op: 'replace', path: scaled, value: 1 }]);
    await settled(stackId, shape, patience);
  }
  const revive = capo.faults.set({ kind: 'dies', cluster: stackId, role: 'worker' });
  await untilTrue('the dead worker to be missed', async () => !(await areReady(stackId)));
  revive();
  await settled(stackId, shape, patience);
  await remove(stackId, patience);
  await vi.waitFor(() => expect(stage().cloud.state.servers).toEqual([]), { timeout: 20_000 });
});
