import { describe, expect, test } from 'vitest';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { untilDeleted } from '../delete/deleted-cluster.ts';
import { waitFor } from '../env/wait-for.ts';
import { type CreatedCluster, createCluster } from '../functions/created-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { startRecordingSink } from '../status/recording-sink.ts';
import type { Moment } from './held-call.ts';
import { leaseOf, type TypedEvent, terminateAt } from './terminated-function.ts';

const stage = stageOfFile();

const attributes = { specversion: '1.0', id: 'of-a-source', source: '/sources' };
const tick: TypedEvent = { ...attributes, type: 'dev.knative.sources.ping', data: {} };

function changeOf({ stackId }: CreatedCluster): TypedEvent {
  const data = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: stackId, namespace };
  return { ...attributes, type: 'dev.knative.apiserver.ref.update', data };
}

const reportOf = (name: FunctionName) => ({ status: 200, type: `org.openstack.magnum.cluster.${name}.v1` });

describe('SIGTERM while a function reads', () => {
  test.each<[string, FunctionName, (cluster: CreatedCluster) => TypedEvent]>([
    ['for a request of its status', 'status', ({ magnum }) => magnum.requestStatus('CREATE_IN_PROGRESS')],
    ['for a request of its health', 'health', ({ magnum }) => magnum.requestHealth()],
    ['for a change, of which it tells the status,', 'status', changeOf],
    ['for a change, of which it tells the health,', 'health', changeOf],
  ])('%s lets it answer', async (_title, name, eventOf) => {
    const cluster = await createCluster(stage());
    const event = eventOf(cluster);
    const { answer } = await terminateAt(stage(), { name, event, moment: 'the first read' });
    expect(answer).toMatchObject(reportOf(name));
    expect(await leaseOf(stage(), cluster.uuid)).toBeUndefined();
    const { url } = await stage().processOf(name);
    expect(await stage().send(event, url)).toMatchObject(reportOf(name));
  });
});

describe('SIGTERM while a function reports all clusters for a tick', () => {
  test.each<FunctionName>(['status', 'health'])('lets %s end it', async (name) => {
    const { uuid } = await createCluster(stage());
    const sink = await startRecordingSink();
    const variables = { K_SINK: sink.url };
    const { answer } = await terminateAt(stage(), { name, event: tick, moment: 'the first read', variables });
    expect(answer.status).toBe(204);
    const reported = sink.events.filter(({ headers }) => headers['ce-subject'] === uuid);
    expect(reported).toHaveLength(1);
    await sink.stop();
  });
});

async function deletedCluster(): Promise<CreatedCluster> {
  const cluster = await createCluster(stage());
  acceptedStackId(await stage().send(cluster.magnum.delete()));
  return cluster;
}

describe('SIGTERM while the status function goes on with a deletion', () => {
  test('for a tick lets it do so, and gives the Lease back', async () => {
    const { magnum, uuid } = await deletedCluster();
    const { answer } = await terminateAt(stage(), { name: 'status', event: tick, moment: 'the first write' });
    expect(answer.status).toBe(204);
    expect(await leaseOf(stage(), uuid)).toBeUndefined();
    await untilDeleted(stage(), magnum);
  });

  test.each<Moment>(['the first write', 'a write in the middle', 'the last write'])(
    'to its end lets it do so, and gives the Lease back: at %s',
    async (moment) => {
      const { magnum, uuid, stackId } = await deletedCluster();
      const gone = async () =>
        expect(await stage().kubernetes.find(resources.cluster, { namespace, name: stackId })).toBeUndefined();
      await waitFor(gone, { what: 'the Cluster to go', timeout: 120_000 });
      const event = magnum.requestStatus('DELETE_IN_PROGRESS');
      const { answer } = await terminateAt(stage(), { name: 'status', event, moment });
      expect(answer).toMatchObject(reportOf('status'));
      expect(await leaseOf(stage(), uuid)).toBeUndefined();
      await untilDeleted(stage(), magnum);
    },
  );
});
