import { describe, expect, test } from 'vitest';
import type { EventData } from '../../shared/contract/event-types.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { addServiceLoadBalancer } from '../cloud/openstack/service-load-balancer.ts';
import { waitFor } from '../env/wait-for.ts';
import { type ClusterChanges, createEvent } from '../functions/create-event.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';
import { tracesOf } from './traces.ts';

type Report = EventData<'org.openstack.magnum.cluster.status.v1'>;

const stage = stageOfFile();
const autoscaled = { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '3' };

async function newCluster(
  changes: ClusterChanges = {},
): Promise<{ readonly magnum: MagnumCluster; readonly stackId: string }> {
  const magnum = new MagnumCluster(await createEvent(stage().cloud, changes));
  const stackId = acceptedStackId(await stage().send(magnum.creation));
  magnum.created(stackId);
  return { magnum, stackId };
}

/** Asks as Magnum does, until the deletion has come to its end. */
async function deleted(magnum: MagnumCluster): Promise<Report> {
  return waitFor(
    async () => {
      const { data } = await stage().send(magnum.requestStatus('DELETE_IN_PROGRESS'));
      const report = data as Report;
      expect(report).toMatchObject({ action: 'DELETE', state: 'COMPLETE' });
      return report;
    },
    { what: `the end of ${magnum.uuid}`, timeout: 120_000 },
  );
}

describe('a cluster that is deleted', () => {
  test('leaves nothing behind', { timeout: 240_000 }, async () => {
    const { magnum, stackId } = await newCluster({ labels: autoscaled });
    await waitForTopology(stage().api, stackId);
    addServiceLoadBalancer(stage().cloud.state, { clusterName: magnum.uuid, name: 'web' });
    await stage().kubernetes.get(resources.deployment, { namespace, name: `${stackId}-autoscaler` });
    const answer = await stage().send(magnum.delete());
    expect(answer.data).toMatchObject({ cluster_uuid: magnum.uuid, stack_id: stackId, notes: [] });
    expect(await deleted(magnum)).toMatchObject({ cluster_uuid: magnum.uuid, stack_id: stackId, status_reason: null });
    expect(await tracesOf(stage(), { uuid: magnum.uuid, stackId })).toEqual([]);
  });
});
