import { expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { cloudStageOfFile } from './cloud-stage.ts';

const stage = cloudStageOfFile();

/** Milliseconds that the real managers get on a busy machine. */
const patience = 180_000;

test('A cluster of the create function comes up on simulated machines, by the real controllers, and goes', async () => {
  const { create, settled, remove, cloud, capo, objectsOf } = stage();
  const networks = cloud.state.networks.length;
  const stackId = await create({ workers: { node_count: 1 } });
  await settled(stackId, { masters: 1, workers: 1, version: 'v1.33.4' }, patience);
  const [controlPlane] = await objectsOf(resources.kubeadmControlPlane, stackId);
  const healthy = controlPlane?.status.conditions.filter(({ status }) => status === 'True').map(({ type }) => type);
  expect(healthy).toEqual(expect.arrayContaining(['Available', 'EtcdClusterHealthy', 'ControlPlaneComponentsHealthy']));
  expect(cloud.state.servers.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);

  await remove(stackId, patience);
  expect([cloud.state.servers, cloud.state.loadBalancers]).toEqual([[], []]);
  expect(cloud.state.networks).toHaveLength(networks);
  expect(capo.workloadCluster(stackId)).toBeUndefined();
});
