import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventTypes } from '../../shared/contract/event-types.ts';
import { type ScriptedServer, startScriptedServer } from '../../shared/kubernetes/testing/scripted-server.ts';
import { openCreate } from './testing/sample-cluster.ts';
import { type StatusStage, startStatusStage } from './testing/status-stage.ts';

const stackId = 'kube-abcde';
const uuid = 'a3f0b1c2-0000-4000-8000-000000000001';
const requested = 'org.openstack.magnum.cluster.status.requested.v1';

let sink: ScriptedServer;
let stage: StatusStage;
/** The function's clock when it first asks after the cluster itself. */
let asked: Date | undefined;

beforeEach(async () => {
  sink = await startScriptedServer();
  stage = await startStatusStage({ sink: { url: sink.url } });
  asked = undefined;
  stage.store.intercept = async (call) => {
    if (call.includes(stackId)) asked ??= stage.now;
    // Each answer of the API server takes a minute.
    stage.now = new Date(stage.now.getTime() + 60_000);
    return undefined;
  };
});
afterEach(async () => {
  await stage.stop();
  await sink.close();
});

const change = {
  type: 'dev.knative.apiserver.ref.update',
  data: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: `${stackId}-x`, namespace: 'magnum-system' },
};
const request = {
  type: requested,
  subject: uuid,
  data: eventTypes[requested].schema.parse({
    cluster: { uuid, stack_id: stackId },
    cluster_template: {},
    nodegroups: [],
    context: { user_id: 'u', project_id: 'p', auth_url: 'https://keystone.example.org/v3' },
  }),
};

// Brokers deliver in parallel: of two reports, the listener takes the one of the later time for the newer one. A report that was slow to
// make must not win over one that has seen more.
test.each([
  ['a change', change, false],
  ['a request', request, false],
  ['a change that ends an operation, which is written down first', change, true],
])('the report that answers %s has the time at which the observation began', async (_what, event, isReady) => {
  stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady });
  const { reply } = await stage.handle(event);
  expect(asked).toBeDefined();
  expect(reply?.time).toEqual(asked);
  expect(stage.now.getTime()).toBeGreaterThan(asked?.getTime() ?? 0);
});

test.each([[false], [true]])('so has that of a resync, for a cluster that is ready: %s', async (isReady) => {
  stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady });
  await stage.handle({ type: 'dev.knative.sources.ping' });
  expect(sink.requests.map(({ headers }) => headers['ce-time'])).toEqual([asked?.toISOString()]);
});
