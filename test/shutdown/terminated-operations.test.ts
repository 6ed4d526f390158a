import { describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { untilDeleted } from '../delete/deleted-cluster.ts';
import { createEvent } from '../functions/create-event.ts';
import { functionOf } from '../functions/function-of.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { owner } from '../upgrade/rotation-stage.ts';
import type { Moment } from './held-call.ts';
import { leaseOf, type TypedEvent, terminateAt } from './terminated-function.ts';

const stage = stageOfFile();

/** What of a Cluster is ours, which an event that comes again must leave as it is. */
async function written(name: string): Promise<unknown> {
  const cluster = await stage().kubernetes.find(resources.cluster, { namespace, name });
  if (cluster === undefined || cluster.metadata?.deletionTimestamp !== undefined) return 'going or gone';
  const annotations = Object.entries(cluster.metadata?.annotations ?? {});
  const ours = annotations.filter(([key]) => key.includes('magnum.openstack.org'));
  return { topology: Object(cluster['spec']).topology, annotations: Object.fromEntries(ours) };
}

/** Ends a function in the middle of an operation, and sends the event again to another. */
async function expectHandedOver(moment: Moment, event: TypedEvent, uuid: string): Promise<string> {
  const name = functionOf(event);
  const { answer } = await terminateAt(stage(), { name, event, moment });
  expect(await leaseOf(stage(), uuid)).toBeUndefined();
  const first = acceptedStackId(answer);
  const before = await written(first);
  const again = acceptedStackId(await stage().send(event));
  expect(again).toBe(first);
  expect(await written(first)).toEqual(before);
  expect(await leaseOf(stage(), uuid)).toBeUndefined();
  return first;
}

describe.each<Moment>(['the first write', 'a write in the middle', 'the last write'])('SIGTERM at %s', (moment) => {
  test('of each operation of a life lets it end, gives the Lease back, and the event may come again', async () => {
    const magnum = new MagnumCluster(await createEvent(stage().cloud));
    const handOver = (event: TypedEvent) => expectHandedOver(moment, event, magnum.uuid);
    magnum.created(await handOver(magnum.creation));
    await handOver(magnum.createNodegroup('gpu', { node_count: 1, min_node_count: 1, max_node_count: 5 }));
    await handOver(magnum.resize('gpu', 2));
    await handOver(magnum.updateNodegroup('gpu', { min_node_count: 1, max_node_count: 4 }));
    // Another version would have to wait until the cluster is up.
    await handOver(magnum.upgrade('v1.33.4', { image_id: 'ubuntu-2204-kube-v1.31' }));
    const token = await stage().cloud.identity.signIn({ user: 'demo', project: 'demo' });
    await handOver(magnum.rotateCredential({ token, userId: owner(stage().cloud).id }));
    await handOver(magnum.deleteNodegroup('gpu'));
    await handOver(magnum.delete());
    await untilDeleted(stage(), magnum);
  });
});
