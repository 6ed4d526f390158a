import { describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { addServiceLoadBalancer } from '../cloud/openstack/service-load-balancer.ts';
import { untilDeleted } from '../delete/deleted-cluster.ts';
import { waitFor } from '../env/wait-for.ts';
import { type CreatedCluster, createCluster } from '../functions/created-cluster.ts';
import { killAfterEachWrite } from '../functions/killed-function.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { expectNothingLeft } from '../functions/traces.ts';

const stage = stageOfFile();
/** So that the delete has every kind of write. */
const autoscaled = { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '3' };

/** A cluster with a load balancer, as a delete finds it. */
async function clusterToDelete(hasCluster: boolean): Promise<CreatedCluster> {
  const cluster = await createCluster(stage(), { labels: autoscaled });
  addServiceLoadBalancer(stage().cloud.state, { clusterName: cluster.uuid, name: 'web' });
  if (!hasCluster) await loseCluster(cluster);
  return cluster;
}

/** Whatever killed its deletion, nothing is left in the end. */
async function expectGone(cluster: CreatedCluster): Promise<void> {
  await untilDeleted(stage(), cluster.magnum);
  await expectNothingLeft(stage(), cluster);
}

async function loseCluster({ stackId: name }: CreatedCluster): Promise<void> {
  await stage().kubernetes.delete(resources.cluster, { namespace, name });
  const probe = async () =>
    expect(await stage().kubernetes.find(resources.cluster, { namespace, name })).toBeUndefined();
  await waitFor(probe, { what: `the Cluster ${name} to go`, timeout: 120_000 });
}

describe('a delete that is killed right after a write is made good by sending the event again', () => {
  test.each([
    ['while the Cluster is there', true, ['leases', 'secrets', 'loadbalancers', 'deployments', '/clusters/']],
    [
      'while it cleans up',
      false,
      ['leases', 'secrets', 'loadbalancers', 'os-server-groups', 'application_credentials'],
    ],
  ])('%s', { timeout: 900_000 }, async (_title, hasCluster, kinds) => {
    const clusters: CreatedCluster[] = [];
    const killedAfter = await killAfterEachWrite(stage(), 'delete', async () => {
      const cluster = await clusterToDelete(hasCluster);
      clusters.push(cluster);
      // The managers take their time, in which the next ones can be killed.
      return { event: cluster.magnum.delete(), check: async () => undefined };
    });
    for (const cluster of clusters) await expectGone(cluster);
    for (const kind of kinds) {
      expect(
        killedAfter.filter((write) => write.includes(kind)),
        kind,
      ).not.toEqual([]);
    }
  });
});
