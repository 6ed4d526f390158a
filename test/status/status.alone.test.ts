import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openCreate } from '../../functions/status/testing/sample-cluster.ts';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { startKillingProxy } from '../functions/killing-proxy.ts';
import { checkRights } from '../rights/check-rights.ts';
import { clusterMetadata, type StatusStage, startStatusStage } from './status-stage.ts';

const hashKey = 'magnum.openstack.org/report-hash';
const statusType = 'org.openstack.magnum.cluster.status.v1';

let stage: StatusStage;
beforeAll(async () => {
  stage = await startStatusStage();
}, 120_000);
afterAll(async () => {
  try {
    await checkRights(stage.controlPlane);
  } finally {
    await stage.stop();
  }
});

let clusters = 0;

/** A new cluster with an open record of its creation. */
async function newCluster(isReady: boolean): Promise<{ readonly stackId: string; readonly uuid: string }> {
  clusters += 1;
  const stackId = `kube-s${String(clusters).padStart(4, '0')}`;
  const uuid = `a3f0b1c2-0000-4000-8000-${String(clusters).padStart(12, '0')}`;
  await stage.putCluster({ stackId, uuid, annotations: openCreate(), isReady });
  return { stackId, uuid };
}

let events = 0;

const event = (attributes: object) => ({ specversion: '1.0', id: `event-${++events}`, source: '/test', ...attributes });
const ping = () => event({ type: 'dev.knative.sources.ping', data: {} });

const change = (name: string) =>
  event({
    type: 'dev.knative.apiserver.ref.update',
    subject: `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/clusters/${name}`,
    data: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name, namespace },
  });

const line = z.looseObject({ event_id: z.string(), kubernetes_calls: z.int() });

/** Calls of the Kubernetes API that each of these events cost, as the function logged them. */
function callsOf(sent: readonly { readonly id: string }[]): number[] {
  const ids = new Set(sent.map(({ id }) => id));
  const lines = stage.function.logLines.map((text) => line.safeParse(JSON.parse(text)).data);
  return lines.flatMap((logged) => (logged !== undefined && ids.has(logged.event_id) ? logged.kubernetes_calls : []));
}

const metadata = (stackId: string) => clusterMetadata(stage.kubernetes, stackId);
const recordOf = async (stackId: string) => readRecord((await metadata(stackId)).annotations, null);

describe('on a real API server, with no more rights than it is granted', () => {
  test('a complete operation is recorded once, and the event of that write ends the matter', async () => {
    const { stackId, uuid } = await newCluster(true);
    const first = await stage.deliver(change(stackId));
    expect(first).toMatchObject({ status: 200, type: statusType, data: { cluster_uuid: uuid, state: 'COMPLETE' } });
    const { annotations, resourceVersion } = await metadata(stackId);
    expect(readRecord(annotations, null)?.completed).not.toBeNull();
    expect(annotations[hashKey]).toMatch(/^[0-9a-f]{16}$/);
    const again = change(stackId);
    expect(await stage.deliver(again)).toMatchObject({ status: 200, data: first.data });
    expect((await metadata(stackId)).resourceVersion).toBe(resourceVersion);
    expect(callsOf([again])[0]).toBeLessThanOrEqual(4);
    expect(await stage.kubernetes.find(resources.lease, { namespace, name: `cluster-${uuid}` })).toBeUndefined();
  });

  test('twenty events of one cluster at once cost two computations, and two reports', async () => {
    const { stackId } = await newCluster(false);
    const sent = Array.from({ length: 20 }, () => change(stackId));
    const answers = await Promise.all(sent.map((each) => stage.deliver(each)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(18);
    const calls = callsOf(sent);
    expect(calls).toHaveLength(20);
    expect(calls.filter((count) => count > 0)).toHaveLength(2);
    expect(Math.max(...calls)).toBeLessThanOrEqual(8);
  });

  test('a resync reports fifty clusters, records what is complete, and does not repeat what is settled', async () => {
    const open = await Promise.all(Array.from({ length: 5 }, () => newCluster(false)));
    const settled = await Promise.all(Array.from({ length: 45 }, () => newCluster(true)));
    stage.sink.events.length = 0;
    expect(await stage.deliver(ping())).toMatchObject({ status: 204 });
    const reported = new Set(stage.sink.events.map(({ headers }) => headers['ce-subject']));
    for (const { uuid } of [...open, ...settled]) expect(reported).toContain(uuid);
    for (const { stackId } of settled) {
      expect((await recordOf(stackId))?.completed).not.toBeNull();
      expect((await metadata(stackId)).annotations[hashKey]).toBeDefined();
    }
    stage.sink.events.length = 0;
    await stage.deliver(ping());
    const repeated = new Set(stage.sink.events.map(({ headers }) => headers['ce-subject']));
    for (const { uuid } of open) expect(repeated).toContain(uuid);
    for (const { uuid } of settled) expect(repeated).not.toContain(uuid);
  });

  test.each(['/leases', '/clusters/'])(
    'a crash after the write of %s loses nothing: the event has no answer, and comes again',
    async (written) => {
      const { stackId, uuid } = await newCluster(true);
      const { server, caCertificate } = stage.controlPlane;
      const proxy = await startKillingProxy({
        server,
        caCertificate,
        afterWrite(call) {
          if (!call.includes(written)) return false;
          victim.signal('SIGKILL');
          return true;
        },
      });
      const connection = { server: proxy.server, caCertificate: proxy.caCertificate };
      const victim = await stage.startAnother({ ...connection, leaseSeconds: 1 });
      const sent = change(stackId);
      await expect(stage.deliver(sent, victim.url)).rejects.toThrow();
      await victim.stop('SIGKILL');
      await proxy.stop();
      const answer = await untilTaken(sent);
      expect(answer).toMatchObject({ status: 200, type: statusType, data: { cluster_uuid: uuid, state: 'COMPLETE' } });
      expect((await recordOf(stackId))?.completed).not.toBeNull();
    },
  );
});

/** A broker sends again what is answered with 429. */
async function untilTaken(sent: object) {
  let answer = await stage.deliver(sent);
  while (answer.status === 429) answer = await stage.deliver(sent);
  return answer;
}
