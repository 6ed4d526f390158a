import { afterEach, describe, expect, test } from 'vitest';
import { createKubernetesClient } from '../kubernetes/client.ts';
import { createClusterRepository } from '../kubernetes/cluster-repository.ts';
import { parseLiveCluster } from '../kubernetes/live-cluster.ts';
import { openRecord, recordAnnotation } from '../kubernetes/operation-record.ts';
import { type ScriptedServer, startScriptedServer } from '../kubernetes/testing/scripted-server.ts';
import { isRepeated, liveTarget } from './live-target.ts';
import { liveObject } from './testing/live-object.ts';

const time = '2026-11-29T10:00:00Z';
const later = '2026-11-29T10:00:01Z';
const event = { id: 'e', time, data: { cluster: { uuid: 'uuid-1', stack_id: 'kube-abcde' } } };

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function target(found: object, nodegroup: string | null) {
  server = await startScriptedServer({ answers: [{ status: 200, body: found }] });
  const kubernetes = createKubernetesClient({ server: server.url });
  try {
    return await liveTarget(createClusterRepository(kubernetes), { event, nodegroup });
  } finally {
    kubernetes.close();
  }
}

function recorded(nodegroup: string | null, type: string, of: { readonly id: string; readonly time: string }) {
  return { [recordAnnotation(nodegroup)]: JSON.stringify(openRecord(of, type, 60)) };
}

describe('an operation finds its Cluster', () => {
  test.each([
    ['without any record', undefined, null],
    ['after an older operation', recorded(null, 'cluster.upgrade', { id: 'o', time: '2026-11-29T09:00:00Z' }), null],
    ['after a newer operation on another nodegroup', recorded('b', 'cluster.resize', { id: 'o', time: later }), 'a'],
    ['again, although its clock says later by now', recorded('a', 'cluster.resize', { id: 'e', time: later }), 'a'],
  ])('%s', async (_title, annotations, nodegroup) => {
    const given = annotations === undefined ? {} : { annotations };
    expect((await target(liveObject(given), nodegroup)).metadata.name).toBe('kube-abcde');
  });
});

describe('an operation is refused', () => {
  test('where there is no Cluster', async () => {
    server = await startScriptedServer({
      answers: [
        { status: 404, body: { kind: 'Status', reason: 'NotFound', message: 'no', details: { kind: 'clusters' } } },
        { status: 200, body: { kind: 'ClusterList', items: [] } },
      ],
    });
    const kubernetes = createKubernetesClient({ server: server.url });
    const finding = liveTarget(createClusterRepository(kubernetes), { event, nodegroup: null });
    await expect(finding).rejects.toMatchObject({ code: 'not_found', status: 200 });
    kubernetes.close();
  });

  test.each([
    ['where the cluster is to be deleted', recorded(null, 'cluster.delete', { id: 'o', time }), null, 'being deleted'],
    ['after a newer one on the cluster', recorded(null, 'cluster.upgrade', { id: 'o', time: later }), null, 'cluster'],
    ['after a newer one on its nodegroup', recorded('a', 'cluster.resize', { id: 'o', time: later }), 'a', 'group a'],
  ])('%s', async (_title, annotations, nodegroup, words) => {
    const finding = target(liveObject({ annotations }), nodegroup);
    await expect(finding).rejects.toMatchObject({ code: 'superseded', message: expect.stringContaining(words) });
  });
});

test.each([
  ['its own record', { id: 'e', time }, true],
  ["another's record", { id: 'o', time }, false],
])('an event with %s was carried out before: %s', (_title, of, repeated) => {
  const cluster = parseLiveCluster(liveObject({ annotations: recorded('a', 'cluster.resize', of) }));
  expect(isRepeated({ event, nodegroup: 'a' }, cluster)).toBe(repeated);
});
