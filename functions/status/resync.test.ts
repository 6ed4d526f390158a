import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { type ScriptedServer, startScriptedServer } from '../../shared/kubernetes/testing/scripted-server.ts';
import { clusterUuidLabel } from '../../shared/render/metadata.ts';
import { openCreate } from './testing/sample-cluster.ts';
import { type StatusStage, startOfTime, startStatusStage } from './testing/status-stage.ts';

const ping = { type: 'dev.knative.sources.ping' };
const hashKey = 'magnum.openstack.org/report-hash';

const stackIdOf = (index: number) => `kube-c${String(index).padStart(4, '0')}`;
const uuidOf = (index: number) => `a3f0b1c2-0000-4000-8000-${String(index).padStart(12, '0')}`;

let sink: ScriptedServer;
let stage: StatusStage;
beforeEach(async () => {
  sink = await startScriptedServer();
  stage = await startStatusStage({ sink: { url: sink.url } });
});
afterEach(async () => {
  await stage.stop();
  await sink.close();
});

function putClusters(count: number, isReady: boolean): void {
  for (let index = 0; index < count; index += 1) {
    stage.putCluster({ stackId: stackIdOf(index), uuid: uuidOf(index), annotations: openCreate(), isReady });
  }
}

function putCloudConfig(index: number, metadata: object = {}): void {
  const labels = { [clusterUuidLabel]: uuidOf(index) };
  const name = `${stackIdOf(index)}-cloud-config`;
  stage.store.put(resources.secret, {
    metadata: { name, labels, creationTimestamp: '2025-12-01T00:00:00Z', ...metadata },
  });
}

const annotationsOf = (index: number) => stage.store.find(resources.cluster, stackIdOf(index))?.metadata.annotations;
const reports = () => sink.requests.map(({ headers, body }) => ({ headers, data: JSON.parse(body) }));
const subjects = () => sink.requests.map(({ headers }) => headers['ce-subject']).toSorted();
const summary = () => stage.log.find(({ msg }) => msg === 'all clusters were looked at again');

describe('a resync', () => {
  test('reports every cluster on which something is open, each time', async () => {
    putClusters(3, false);
    await stage.handle(ping);
    await stage.handle(ping);
    expect(subjects()).toEqual([0, 0, 1, 1, 2, 2].map(uuidOf));
    const [{ headers, data } = { headers: {}, data: undefined }] = reports();
    expect(headers).toMatchObject({
      'ce-type': 'org.openstack.magnum.cluster.status.v1',
      'ce-source': '/functions/status',
      'ce-subject': data.cluster_uuid,
      'ce-partitionkey': data.cluster_uuid,
      'ce-time': startOfTime.toISOString(),
    });
    expect(data).toMatchObject({ state: 'IN_PROGRESS' });
  });

  test('reports a settled cluster once, after what is complete was recorded, and then no more', async () => {
    putClusters(2, true);
    await stage.handle(ping);
    expect(reports().map(({ data }) => data.state)).toEqual(['COMPLETE', 'COMPLETE']);
    for (const index of [0, 1]) {
      expect(readRecord(annotationsOf(index), null)?.completed).toBe(startOfTime.toISOString());
      expect(annotationsOf(index)?.[hashKey]).toMatch(/^[0-9a-f]{16}$/);
    }
    await stage.handle(ping);
    expect(reports()).toHaveLength(2);
    expect(summary()).toMatchObject({ level: 'info', clusters: 2, reported: 2, failed: 0, unreached: 0 });
  });

  test('does not record as reported what the sink did not take', async () => {
    await stage.stop();
    stage = await startStatusStage({ sink: { url: 'http://127.0.0.1:1/' }, resyncLimits: { clusterMs: 300 } });
    putClusters(1, true);
    await stage.handle(ping);
    expect(annotationsOf(0)?.[hashKey]).toBeUndefined();
    expect(readRecord(annotationsOf(0), null)?.completed).toBe(startOfTime.toISOString());
    expect(summary()).toMatchObject({ level: 'warn', failed: 1 });
  });

  test('does not record as reported what became of a cluster after its report was posted', async () => {
    const cluster = { stackId: stackIdOf(0), uuid: uuidOf(0) };
    stage.putCluster({ ...cluster, isReady: true });
    stage.store.intercept = async (call) => {
      if (call.startsWith('PATCH')) stage.putCluster({ ...cluster, isReady: false });
      return undefined;
    };
    await stage.handle(ping);
    expect(annotationsOf(0)).toBeUndefined();
    stage.store.intercept = async () => undefined;
    await stage.handle(ping);
    expect(reports().map(({ data }) => data.state)).toEqual(['COMPLETE', 'IN_PROGRESS']);
  });

  test('goes on when one cluster fails', async () => {
    putClusters(4, false);
    stage.store.intercept = async (call) => (call.endsWith(`/clusters/${stackIdOf(2)}`) ? 403 : undefined);
    await stage.handle(ping);
    expect(subjects()).toEqual([0, 1, 3].map(uuidOf));
    expect(summary()).toMatchObject({ level: 'warn', reported: 3, failed: 1 });
    const line = stage.log.find(({ msg }) => msg === 'a cluster could not be looked at again');
    expect(line).toMatchObject({ stack_id: stackIdOf(2) });
  });

  test('leaves a cluster that hangs, and ends when its own time is up', async () => {
    await stage.stop();
    const limits = { concurrency: 1, clusterMs: 20_000, totalMs: 300 };
    stage = await startStatusStage({ sink: { url: sink.url }, resyncLimits: limits });
    putClusters(3, false);
    stage.store.intercept = async (call) => {
      if (/\/clusters\/kube-/.test(call)) await new Promise(() => undefined);
      return undefined;
    };
    await stage.handle(ping);
    expect(summary()).toMatchObject({ level: 'warn', clusters: 3, failed: 1, unreached: 2 });
  });

  test('is one for all pings that come while it runs', async () => {
    putClusters(2, false);
    await Promise.all([stage.handle(ping), stage.handle(ping), stage.handle(ping)]);
    expect(reports()).toHaveLength(2);
  });

  test.each(['/deployments', '/clusterclasses'])('reports also where %s cannot be listed', async (collection) => {
    putClusters(2, false);
    stage.store.intercept = async (call) => (call.endsWith(collection) ? 403 : undefined);
    await stage.handle(ping);
    expect(reports()).toHaveLength(2);
    expect(stage.log).toContainEqual(expect.objectContaining({ msg: 'a resync could not keep house' }));
  });

  test('fails where it cannot be known which clusters there are, so that the ping comes again', async () => {
    stage.store.intercept = async (call) => (call.endsWith('/clusters') ? 403 : undefined);
    await expect(stage.handle(ping)).rejects.toMatchObject({ status: 503 });
  });

  test('stops with the host, and says so', async () => {
    putClusters(3, false);
    const controller = new AbortController();
    const reason = new Error('stopping');
    stage.store.intercept = async (call) => {
      if (/\/clusters\/kube-/.test(call)) controller.abort(reason);
      return undefined;
    };
    await expect(stage.handle(ping, controller.signal)).rejects.toBe(reason);
  });

  test('costs calls in proportion to the clusters', async () => {
    putClusters(10, false);
    const { calls: ten } = await stage.handle(ping);
    putClusters(20, false);
    const { calls: twenty } = await stage.handle(ping);
    expect(twenty).toBeLessThanOrEqual(2 * ten);
    expect(twenty).toBeLessThanOrEqual(20 * 5 + 5);
  });
});

test('without a sink, a resync records what is complete, and tells once that nobody hears of it', async () => {
  await stage.stop();
  stage = await startStatusStage();
  putClusters(2, true);
  await stage.handle(ping);
  for (const index of [0, 1]) {
    expect(readRecord(annotationsOf(index), null)?.completed).toBe(startOfTime.toISOString());
    expect(annotationsOf(index)?.[hashKey]).toBeUndefined();
  }
  expect(stage.log.filter(({ msg }) => String(msg).includes('K_SINK'))).toHaveLength(1);
});

describe('a cloud-config Secret without its Cluster', () => {
  test('is a fault to report', async () => {
    putCloudConfig(7);
    await stage.handle(ping);
    expect(reports()).toMatchObject([
      { headers: { 'ce-subject': uuidOf(7) }, data: { stack_id: stackIdOf(7), state: 'FAILED' } },
    ]);
  });

  test('is none while its create may go on', async () => {
    putCloudConfig(7, { creationTimestamp: startOfTime.toISOString() });
    await stage.handle(ping);
    expect(reports()).toEqual([]);
  });

  test('is the rest of a deletion where that was asked for', async () => {
    const record = {
      id: 'd',
      type: 'cluster.delete',
      started: startOfTime.toISOString(),
      deadline: null,
      completed: null,
    };
    const annotations = { 'magnum.openstack.org/delete': JSON.stringify(record) };
    putCloudConfig(7, { annotations, creationTimestamp: startOfTime.toISOString() });
    await stage.handle(ping);
    const status_reason = expect.stringContaining('Secret kube-c0007-cloud-config holds no usable clouds.yaml.');
    expect(reports()).toMatchObject([{ data: { action: 'DELETE', state: 'COMPLETE', status_reason } }]);
    expect(stage.store.find(resources.secret, 'kube-c0007-cloud-config')).toBeUndefined();
  });

  test('is nothing more than its Cluster where that is there', async () => {
    putClusters(1, false);
    putCloudConfig(0);
    await stage.handle(ping);
    expect(reports()).toHaveLength(1);
  });
});

test('Clusters and Secrets that no Magnum driver made are left alone', async () => {
  stage.store.put(resources.cluster, { metadata: { name: 'capi-quickstart' } });
  stage.store.put(resources.secret, {
    metadata: { name: 'x-cloud-config', labels: { [clusterUuidLabel]: uuidOf(1) } },
  });
  stage.store.put(resources.secret, {
    metadata: { name: 'kube-abcde-addon', labels: { [clusterUuidLabel]: uuidOf(2) } },
  });
  await stage.handle(ping);
  expect(reports()).toEqual([]);
  expect(summary()).toMatchObject({ clusters: 0 });
});
