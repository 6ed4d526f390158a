import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventTypes } from '../../shared/contract/event-types.ts';
import { createCallCounter } from '../../shared/host/call-counter.ts';
import { createLogger } from '../../shared/host/logger.ts';
import { type HostUnderTest, hostUnderTest } from '../../shared/host/testing/host-under-test.ts';
import { instantClock } from '../../shared/kubernetes/testing/instant-clock.ts';
import { type ScriptedAnswer, startScriptedServer } from '../../shared/kubernetes/testing/scripted-server.ts';
import { sampleSnapshot } from '../../shared/magnum/sample-snapshots.ts';
import { observedCluster, observedMachine } from '../../shared/status/testing/health-objects.ts';
import { healthFunction } from './handler.ts';
import { type ManagementCluster, startManagementCluster } from './testing/management-cluster.ts';

const uuid = '21d56b0e-dd80-41ec-b63e-d6fad0deca84';
const stackId = 'kube-abcde';
const healthType = 'org.openstack.magnum.cluster.health.v1';
const time = '2026-11-29T10:00:00.000Z';

let management: ManagementCluster;
let host: HostUnderTest;
let close: (() => Promise<unknown>)[];

beforeEach(async () => {
  management = await startManagementCluster();
  close = [management.close];
  management.objects.clusters.push(observedCluster());
  management.objects.machines.push(
    observedMachine('kube-abcde-m', 'True', { role: 'master' }),
    observedMachine('kube-abcde-w', 'True'),
    observedMachine('kube-other-w', 'False', { cluster: 'kube-other' }),
  );
  await serve();
});
afterEach(() => Promise.all(close.map((end) => end())));

async function serve(sink?: { readonly url: string }): Promise<void> {
  const routes = { '/': healthFunction({ kubernetes: management.kubernetes, sink, clock: instantClock() }) };
  // Each request to the API server takes a minute.
  const now = () => new Date(Date.parse(time) + management.requests.length * 60_000);
  host = await hostUnderTest({ routes, now });
  close.push(() => host.close());
}

/** What Magnum sends when it polls. */
function request(cluster: Readonly<Record<string, unknown>> = {}) {
  const context = { user_id: 'u', project_id: 'p', auth_url: 'https://keystone.example/v3' };
  const data = { ...sampleSnapshot({ cluster: { stack_id: stackId, ...cluster } }), context };
  return host.invoke({ 'ce-type': 'org.openstack.magnum.cluster.health.requested.v1', 'ce-subject': uuid }, data);
}

function changed(reference: Readonly<Record<string, unknown>> = {}, change = 'update') {
  const data = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', namespace: 'magnum-system', ...reference };
  return host.invoke(
    { 'ce-type': `dev.knative.apiserver.ref.${change}`, 'ce-id': crypto.randomUUID() },
    { name: `${stackId}-x`, ...data },
  );
}

const healthy = {
  cluster_uuid: uuid,
  stack_id: stackId,
  health_status: 'HEALTHY',
  health_status_reason: { api: 'ok', 'kube-abcde-m-infra.Ready': 'True', 'kube-abcde-w-infra.Ready': 'True' },
};
const unknown = { cluster_uuid: uuid, health_status: 'UNKNOWN', health_status_reason: {} };

describe('a request', () => {
  test('is answered by what two calls tell, as of the time when they began', async () => {
    const { status, headers, body } = await request();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'ce-type': healthType,
      'ce-subject': uuid,
      'ce-partitionkey': uuid,
      'ce-time': time,
      'ce-dataschema': `urn:magnum-capi-functions:schema:${healthType}`,
    });
    expect(eventTypes[healthType].schema.parse(JSON.parse(body))).toEqual(healthy);
    expect(management.requests).toHaveLength(2);
  });

  test.each([
    ['is empty', { stack_id: '' }],
    ['is missing', { stack_id: null }],
    ['is that of another cluster', { stack_id: 'kube-other' }],
  ])('finds the Cluster by its label where the stack id %s', async (_title, cluster) => {
    management.objects.clusters.push(observedCluster({}, { name: 'kube-other', uuid: 'other' }));
    expect(JSON.parse((await request(cluster)).body)).toEqual(healthy);
  });

  test.each([
    ['there is neither a stack id nor a Cluster', { stack_id: null }, ''],
    ['the Cluster is gone', {}, stackId],
  ])('is answered with UNKNOWN where %s', async (_title, cluster, stack_id) => {
    management.objects.clusters.length = 0;
    const { status, body } = await request(cluster);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ ...unknown, stack_id });
  });

  test.each([[{ kube_tag: null }], [{ kube_tag: 'what?', auto_healing_enabled: [] }], ['no labels at all']])(
    'is answered whatever the labels are: %j',
    async (labels) => {
      expect(JSON.parse((await request({ labels })).body)).toEqual(healthy);
    },
  );

  test('is refused when its subject is another cluster', async () => {
    expect((await request({ uuid: '00000000-0000-4000-8000-000000000000' })).status).toBe(400);
  });

  test('is to be sent again when Kubernetes does not answer', async () => {
    management.refused.set('machines', 403);
    expect(await request()).toMatchObject({ status: 503 });
  });
});

describe('a change', () => {
  test.each([
    ['Machine', 'cluster.x-k8s.io/v1beta2', `${stackId}-default-worker-x-y`, 'add'],
    ['Machine', 'cluster.x-k8s.io/v1beta2', `${stackId}-default-worker-x-y`, 'delete'],
    ['Cluster', 'cluster.x-k8s.io/v1beta1', stackId, 'update'],
    ['MachineHealthCheck', 'cluster.x-k8s.io/v1beta2', `${stackId}-default-worker-x`, 'update'],
    ['KubeadmControlPlane', 'controlplane.cluster.x-k8s.io/v1beta2', `${stackId}-x`, 'update'],
  ])('of a %s of %s is answered by the health of its cluster', async (kind, apiVersion, name, change) => {
    const { status, headers, body } = await changed({ kind, apiVersion, name }, change);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'ce-type': healthType, 'ce-subject': uuid, 'ce-partitionkey': uuid });
    expect(JSON.parse(body)).toEqual(healthy);
    expect(management.requests).toHaveLength(2);
  });

  test.each([
    ['of another kind', { kind: 'MachineDeployment' }],
    ['of another group', { apiVersion: 'example.org/v1' }],
    ['in another namespace', { namespace: 'default' }],
    ['outside of namespaces', { namespace: null }],
    ['of a longer name', { name: 'kube-abcdef-x' }],
    ['of a name that begins otherwise', { name: 'my-kube-abcde' }],
    ['of a name that no object can have', { name: 'kube-abcde/../x' }],
  ])('%s costs no call', async (_title, reference) => {
    expect(await changed(reference)).toMatchObject({ status: 204, body: '' });
    expect(management.requests).toHaveLength(0);
  });

  test.each([
    ['that is gone', []],
    ["that is not Magnum's", [{ metadata: { name: stackId } }]],
  ])('of a Cluster %s says nothing', async (_title, clusters) => {
    management.objects.clusters = [...clusters];
    expect((await changed()).status).toBe(204);
  });

  test('is to be delivered again when Kubernetes does not answer', async () => {
    management.refused.set('clusters', 403);
    expect((await changed()).status).toBe(503);
  });

  test('that comes with nineteen others shares two computations with them, told once each and five seconds apart', async () => {
    const clock = instantClock();
    const { handle } = healthFunction({ kubernetes: management.kubernetes, clock });
    const data = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', namespace: 'magnum-system', name: stackId };
    const event = { id: '1', source: '/', subject: '', time, extensions: {}, data };
    const context = {
      log: createLogger({ level: 'silent' }),
      signal: new AbortController().signal,
      calls: createCallCounter(),
      now: () => new Date(time),
    };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => handle(context, { ...event, type: 'dev.knative.apiserver.ref.update' })),
    );
    expect(replies.filter((reply) => reply !== undefined).map(({ data }) => data)).toEqual([healthy, healthy]);
    expect(management.requests).toHaveLength(4);
    expect(context.calls.kubernetes).toBe(4);
    expect(clock.sleeps[0]).toBe(5000);
  });
});

describe('a tick', () => {
  const tick = () => host.invoke({ 'ce-type': 'dev.knative.sources.ping' }, {});
  const stackIds = Array.from({ length: 21 }, (_, index) => `kube-0000${String.fromCharCode(97 + index)}`);

  async function setUp(answers: readonly ScriptedAnswer[] = []) {
    management.objects.clusters = stackIds.map((name) => observedCluster({}, { name, uuid: `uuid of ${name}` }));
    management.objects.clusters.push({ metadata: { name: 'nobody' } });
    management.objects.machines = stackIds.flatMap((cluster, index) => [
      observedMachine(`${cluster}-m`, 'True', { cluster, role: 'master' }),
      observedMachine(`${cluster}-w`, index % 2 === 0 ? 'True' : 'False', { cluster }),
    ]);
    const sink = await startScriptedServer({ answers });
    close.push(sink.close);
    await serve({ url: sink.url });
    return sink;
  }

  test('reports every cluster to the sink', async () => {
    const sink = await setUp();
    expect(await tick()).toMatchObject({ status: 204, body: '' });
    const reports = sink.requests.map(({ headers, body }) => ({ headers, data: JSON.parse(body) }));
    expect(reports.map(({ data }) => data.stack_id).toSorted()).toEqual(stackIds);
    for (const { headers, data } of reports) {
      const healthy = stackIds.indexOf(data.stack_id) % 2 === 0;
      expect(headers).toMatchObject({ 'ce-type': healthType, 'ce-time': time, 'ce-source': '/functions/health' });
      expect(decodeURIComponent(String(headers['ce-subject']))).toBe(data.cluster_uuid);
      expect(data).toMatchObject({
        cluster_uuid: `uuid of ${data.stack_id}`,
        health_status: healthy ? 'HEALTHY' : 'UNHEALTHY',
        health_status_reason: { api: 'ok', [`${data.stack_id}-w-infra.Ready`]: healthy ? 'True' : 'False' },
      });
    }
  });

  test('reads each object once', async () => {
    await setUp();
    await tick();
    const pages = (count: number) => Math.ceil(count / 2);
    expect(management.requests).toHaveLength(pages(stackIds.length) + pages(2 * stackIds.length));
  });

  test('reports the others when a report is refused, and says so in the log', async () => {
    const sink = await setUp([{ status: 400 }]);
    expect((await tick()).status).toBe(204);
    expect(sink.requests).toHaveLength(stackIds.length);
    const lines = host.log.map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', failed: 1, reported: 20 }));
  });

  test('is to be delivered again when the sink is not there', async () => {
    const sink = await setUp();
    await sink.close();
    expect((await tick()).status).toBe(503);
  });

  test('without a sink reads nothing and says so in the log', async () => {
    expect((await tick()).status).toBe(204);
    expect(management.requests).toHaveLength(0);
    expect(host.log.join()).toContain('K_SINK is not set');
  });
});
