import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventTypes } from '../../shared/contract/event-types.ts';
import { readRecord, recordAnnotation } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { openCreate } from './testing/sample-cluster.ts';
import { type StatusStage, startOfTime, startStatusStage } from './testing/status-stage.ts';

const stackId = 'kube-abcde';
const uuid = 'a3f0b1c2-0000-4000-8000-000000000001';
const statusType = 'org.openstack.magnum.cluster.status.v1';
const hashKey = 'magnum.openstack.org/report-hash';

let stage: StatusStage;
beforeEach(async () => {
  stage = await startStatusStage();
});
afterEach(() => stage.stop());

const change = (name = stackId, kind = 'Cluster', namespace = 'magnum-system') => ({
  type: 'dev.knative.apiserver.ref.update',
  subject: `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/clusters/${name}`,
  data: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind, name, namespace },
});

const request = (cluster: object = {}, nodegroups: readonly object[] = []) => ({
  type: 'org.openstack.magnum.cluster.status.requested.v1',
  subject: uuid,
  data: eventTypes['org.openstack.magnum.cluster.status.requested.v1'].schema.parse({
    cluster: { uuid, stack_id: stackId, ...cluster },
    cluster_template: {},
    nodegroups,
    context: { user_id: 'u', project_id: 'p', auth_url: 'https://keystone.example.org/v3' },
  }),
});

const annotations = () => stage.store.find(resources.cluster, stackId)?.metadata.annotations ?? {};
const writes = () => stage.store.calls.filter((call) => !call.startsWith('GET'));

describe('a change of an object', () => {
  test('of a cluster is answered with its report, as of the moment at which the observation began', async () => {
    stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: false });
    const { reply } = await stage.handle(change(`${stackId}-x7k2p-9jq4v`, 'Machine'));
    expect(reply).toMatchObject({
      type: statusType,
      dataschema: `urn:magnum-capi-functions:schema:${statusType}`,
      subject: uuid,
      partitionkey: uuid,
      time: startOfTime,
      data: { cluster_uuid: uuid, stack_id: stackId, action: 'CREATE', state: 'IN_PROGRESS' },
    });
    expect(eventTypes[statusType].schema.parse(reply?.data)).toEqual(reply?.data);
    expect(writes()).toEqual([]);
  });

  test.each([
    ['another namespace', change(stackId, 'Cluster', 'default')],
    ['another name', change('capi-quickstart')],
    ['a name that only looks alike', change('kube-abcdef')],
  ])('of %s is answered at once, without a call', async (_title, event) => {
    expect(await stage.handle(event)).toEqual({ reply: undefined, calls: 0 });
    expect(stage.store.calls).toEqual([]);
  });

  test('of a cluster that is gone and has left nothing says nothing', async () => {
    expect(await stage.handle(change())).toEqual({ reply: undefined, calls: 3 });
  });

  test('that a healthy cluster goes through costs four calls at most', async () => {
    stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: true });
    for (let round = 1; round <= 3; round += 1) await stage.handle(change());
    stage.store.calls.length = 0;
    expect((await stage.handle(change())).calls).toBeLessThanOrEqual(4);
  });
});

describe('an operation that is complete', () => {
  beforeEach(() => stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: true }));

  test('is recorded with the hash of the report, by one write, before anybody is told', async () => {
    const { reply } = await stage.handle(change());
    expect(reply?.data).toMatchObject({ action: 'CREATE', state: 'COMPLETE', status_reason: null });
    expect(readRecord(annotations(), null)).toMatchObject({ id: 'create-1', completed: startOfTime.toISOString() });
    expect(annotations()[hashKey]).toMatch(/^[0-9a-f]{16}$/);
    const lease = `/apis/coordination.k8s.io/v1/namespaces/magnum-system/leases`;
    expect(writes()).toEqual([
      `POST ${lease}`,
      `PATCH /apis/cluster.x-k8s.io/v1beta2/namespaces/magnum-system/clusters/${stackId}`,
      `DELETE ${lease}/cluster-${uuid}`,
    ]);
  });

  test('costs no write again: the event of its own write finds nothing to do, and tells the same', async () => {
    const first = await stage.handle(change());
    stage.store.calls.length = 0;
    const second = await stage.handle(change());
    expect(writes()).toEqual([]);
    expect(second.reply?.data).toEqual(first.reply?.data);
  });

  test('leaves a record alone that was replaced meanwhile by that of a new operation', async () => {
    const newer = openCreate('newer', '2026-01-01T00:05:00Z');
    let isReplaced = false;
    stage.store.intercept = async (call) => {
      if (!call.startsWith('PATCH') || isReplaced) return undefined;
      isReplaced = true;
      stage.putCluster({ stackId, uuid, annotations: newer, isReady: false });
      return undefined;
    };
    const { reply } = await stage.handle(change());
    expect(reply?.data).toMatchObject({ state: 'IN_PROGRESS' });
    expect(annotations()).toEqual(newer);
  });

  test('is recorded in spite of other writers, up to five times', async () => {
    let conflicts = 0;
    stage.store.intercept = async (call) => {
      if (call.startsWith('PATCH') && conflicts < 4) {
        conflicts += 1;
        stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: true });
      }
      return undefined;
    };
    await stage.handle(change());
    expect(readRecord(annotations(), null)?.completed).toBe(startOfTime.toISOString());
  });

  test('is not told where it cannot be recorded', async () => {
    stage.store.intercept = async (call) => (call.startsWith('PATCH') ? 409 : undefined);
    await expect(stage.handle(change())).rejects.toMatchObject({ status: 429, retryable: true });
    expect(stage.store.calls.filter((call) => call.startsWith('PATCH'))).toHaveLength(5);
    expect(stage.store.find(resources.lease, `cluster-${uuid}`)).toBeUndefined();
  });

  test('waits where another function holds the Lease', async () => {
    const spec = { holderIdentity: 'resize', leaseDurationSeconds: 15, renewTime: new Date().toISOString() };
    stage.store.put(resources.lease, { metadata: { name: `cluster-${uuid}` }, spec });
    await expect(stage.handle(change())).rejects.toMatchObject({ name: 'BusyError', status: 429 });
    expect(readRecord(annotations(), null)?.completed).toBeNull();
  });

  test('keeps other annotations and records', async () => {
    const broken = { [recordAnnotation('broken')]: '{', other: 'x' };
    stage.putCluster({ stackId, uuid, annotations: { ...openCreate(), ...broken }, isReady: true });
    await stage.handle(change());
    expect(annotations()).toMatchObject(broken);
  });
});

test('a cluster of another driver, which has no record, is reported and gets only the hash', async () => {
  stage.putCluster({ stackId, uuid, isReady: true });
  const { reply } = await stage.handle(change());
  expect(reply?.data).toMatchObject({ action: null, state: 'COMPLETE' });
  expect(Object.keys(annotations())).toEqual([hashKey]);
});

describe('where Cluster API refuses each write of the Cluster', () => {
  beforeEach(() => {
    stage.store.intercept = async (call) => (call.startsWith('PATCH') ? 422 : undefined);
  });

  test('a settled cluster is reported all the same', async () => {
    stage.putCluster({ stackId, uuid, isReady: true });
    expect((await stage.handle(change())).reply?.data).toMatchObject({ state: 'COMPLETE' });
    expect(stage.log).toMatchObject([{ level: 'warn', stack_id: stackId }]);
  });

  test('an operation is not told to be complete', async () => {
    stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: true });
    await expect(stage.handle(change())).rejects.toMatchObject({ name: 'InvalidError' });
  });
});

describe('events at the same time', () => {
  test('share two computations, of which each is reported once', async () => {
    stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: false });
    const handled = await Promise.all(Array.from({ length: 20 }, () => stage.handle(change())));
    expect(handled.filter(({ reply }) => reply !== undefined)).toHaveLength(2);
    expect(stage.store.calls.filter((call) => call.endsWith(`/clusters/${stackId}`))).toHaveLength(2);
  });

  test('all fail with a computation that fails, so that none is lost', async () => {
    stage.store.intercept = async () => 403;
    const settled = await Promise.allSettled([1, 2, 3].map(() => stage.handle(change())));
    for (const { status } of settled) expect(status).toBe('rejected');
  });
});

describe('a request', () => {
  test('is always answered, also where it shares a computation with changes', async () => {
    stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady: false });
    const events = [change(), change(), change(), request({ status: 'CREATE_IN_PROGRESS' }), request()];
    const handled = await Promise.all(events.map((event) => stage.handle(event)));
    expect(handled.map(({ reply }) => reply?.type)).toEqual([
      statusType,
      statusType,
      undefined,
      statusType,
      statusType,
    ]);
  });

  test('adds what only Magnum knows to the report', async () => {
    stage.putCluster({ stackId, uuid, isReady: true });
    const { reply } = await stage.handle(request({ status: 'UPDATE_IN_PROGRESS' }));
    expect(reply?.data).toMatchObject({ action: 'UPDATE', state: 'COMPLETE' });
  });

  test.each([null, '', 'no-stack-id', 'kube-zzzzz'])(
    'finds the cluster by its label when the stack id is %j',
    async (stack_id) => {
      stage.putCluster({ stackId, uuid, isReady: true });
      const { reply } = await stage.handle(request({ stack_id }));
      expect(reply?.data).toMatchObject({ cluster_uuid: uuid, stack_id: stackId, state: 'COMPLETE' });
    },
  );

  test('tells nothing of a cluster that only has the name', async () => {
    stage.putCluster({ stackId, uuid: 'ffffffff-0000-4000-8000-000000000001', isReady: true });
    const { reply } = await stage.handle(request({ status: 'UPDATE_IN_PROGRESS' }));
    expect(reply?.data).toMatchObject({ cluster_uuid: uuid, state: 'FAILED' });
  });

  test('about a cluster that nothing is there of yet tells that it is being created', async () => {
    const { reply } = await stage.handle(request({ stack_id: null, status: 'CREATE_IN_PROGRESS' }));
    expect(reply?.data).toMatchObject({ cluster_uuid: uuid, action: 'CREATE', state: 'IN_PROGRESS' });
  });

  test('does not fail because of fields that are wrong', async () => {
    stage.putCluster({ stackId, uuid, isReady: true });
    const { reply } = await stage.handle(
      request({ status: 7, labels: 'none', master_count: 'x' }, [{ name: 4, status: {} }]),
    );
    expect(reply?.data).toMatchObject({ cluster_uuid: uuid });
  });

  test('for another cluster than its subject is refused', async () => {
    await expect(stage.handle({ ...request(), subject: 'other' })).rejects.toMatchObject({ status: 400 });
  });
});
