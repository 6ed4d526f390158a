import { expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { type ClusterShape, cloudStageOfFile } from '../cloud/cloud-stage.ts';
import { waitFor } from '../env/wait-for.ts';

const stage = cloudStageOfFile();

/** Milliseconds for each change, on a busy machine: five masters are replaced one after another. */
const patience = 480_000;
const before = 'v1.33.4';
const after = 'v1.34.1';
const workersPath = '/spec/topology/workers/machineDeployments/0/replicas';

let stackId = '';

function replace(path: string, value: unknown): { op: 'replace'; path: string; value: unknown } {
  return { op: 'replace', path, value };
}

async function settledIn(shape: ClusterShape): Promise<void> {
  await stage().settled(stackId, shape, patience);
  const { state } = stage().cloud;
  const machines = await stage().objectsOf(resources.machine, stackId);
  expect(state.servers.map(({ name }) => name).sort()).toEqual(machines.map(({ metadata }) => metadata.name).sort());
  // Its manager looks at etcd again a while after the last machine has come or gone.
  await waitFor(controlPlaneIsWell, { what: 'the control plane to be well' });
}

async function controlPlaneIsWell(): Promise<void> {
  const [controlPlane] = await stage().objectsOf(resources.kubeadmControlPlane, stackId);
  const well = controlPlane?.status.conditions.filter(({ status }) => status === 'True').map(({ type }) => type);
  expect(well).toEqual(expect.arrayContaining(['Available', 'EtcdClusterHealthy', 'ControlPlaneComponentsHealthy']));
  expect(well).not.toContain('ScalingDown');
}

test('A cluster comes up', async () => {
  stackId = await stage().create({ workers: { node_count: 1 }, labels: { kube_tag: before } });
  await settledIn({ masters: 1, workers: 1, version: before });
});

test.each([3, 5, 3])('Its control plane goes to %i', async (masters) => {
  await stage().change(stackId, [replace('/spec/topology/controlPlane/replicas', masters)]);
  await settledIn({ masters, workers: 1, version: before });
});

test.each([3, 2])('Its workers go to %i', async (workers) => {
  await stage().change(stackId, [replace(workersPath, workers)]);
  await settledIn({ masters: 3, workers, version: before });
});

test('A new version rolls all of its machines', async () => {
  const old = new Set(stage().cloud.state.servers.map(({ id }) => id));
  await stage().change(stackId, [replace('/spec/topology/version', after)]);
  await settledIn({ masters: 3, workers: 2, version: after });
  expect(stage().cloud.state.servers.filter(({ id }) => old.has(id))).toEqual([]);
});

test('It goes, and leaves nothing', async () => {
  await stage().remove(stackId, patience);
  const { state } = stage().cloud;
  expect([state.servers, state.loadBalancers]).toEqual([[], []]);
  expect(state.networks.filter(({ name }) => name.includes(stackId))).toEqual([]);
  expect(stage().capo.workloadCluster(stackId)).toBeUndefined();
});
