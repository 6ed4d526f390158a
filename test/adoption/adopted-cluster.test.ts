import { beforeAll, expect, test } from 'vitest';
import { findEntry, parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { MagnumCluster } from '../functions/magnum-cluster.ts';
import { sendEvent } from '../functions/send-event.ts';
import { expectNothingLeft } from '../functions/traces.ts';
import { machineUids } from '../life/machine-uids.ts';
import { adoptionOfFile } from './adoption-of-file.ts';
import { OriginalCluster } from './original-cluster.ts';

const stage = adoptionOfFile();

let cluster: OriginalCluster;
let magnum: MagnumCluster;

beforeAll(async () => {
  cluster = await OriginalCluster.create(stage());
}, 240_000);

async function topology() {
  const live = await stage().kubernetes.get(resources.cluster, { namespace, name: cluster.stackId });
  return parseLiveCluster(live);
}

test('a cluster of the original driver is reported complete when the original says so', async () => {
  const report = await cluster.reportedComplete();
  const { cluster: row, nodegroups } = await cluster.synchronised('CREATE_COMPLETE');
  magnum = await cluster.handOver();
  // No operation of ours is recorded there: Magnum knows which one is open.
  expect(report).toMatchObject({ cluster_uuid: cluster.uuid, action: null, state: 'COMPLETE', status_reason: null });
  expect(report).toMatchObject({ api_address: row.api_address, coe_version: row.coe_version });
  expect(report.nodegroups.map(({ name }) => name)).toEqual(nodegroups.map(({ name }) => name));
});

test('its status and its health are told to who asks', async () => {
  const status = await stage().send('status', magnum.requestStatus('CREATE_IN_PROGRESS'));
  expect(status).toMatchObject({ status: 200, data: { action: 'CREATE', state: 'COMPLETE' } });
  const health = await stage().send('health', magnum.requestHealth());
  expect(health).toMatchObject({
    status: 200,
    data: { health_status: 'HEALTHY', health_status_reason: { api: 'ok' } },
  });
});

test('an operation waits while the original has its lock, and then changes nothing but what it is asked for', async () => {
  const { access, functions, kubernetes, reports } = stage();
  const before = { live: await topology(), uids: await machineUids(kubernetes, cluster.stackId) };
  const resize = magnum.resize('default-worker', 2);
  await cluster.order('hold');
  const refused = await sendEvent(functions.get('resize').url, resize, access.callerToken);
  await cluster.order('release');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(await stage().operate(resize)).toBe(cluster.stackId);
  await reports.status(cluster.stackId, {
    what: 'UPDATE_COMPLETE',
    matches: ({ action, state }) => action === 'UPDATE' && state === 'COMPLETE',
    timeout: 240_000,
  });
  const { spec } = await topology();
  const entry = findEntry(before.live, 'default-worker')?.entry;
  expect(spec).toEqual({
    ...before.live.spec,
    topology: { ...before.live.spec.topology, workers: { machineDeployments: [{ ...entry, replicas: 2 }] } },
  });
  const after = await machineUids(kubernetes, cluster.stackId);
  expect(after.masters).toEqual(before.uids.masters);
  expect(after.workers).toEqual([...before.uids.workers, expect.any(String)]);
});

test('it is deleted with all that the original made for it', async () => {
  await stage().operate(magnum.delete());
  await stage().reports.status(cluster.stackId, {
    what: 'DELETE_COMPLETE',
    matches: ({ action, state }) => action === 'DELETE' && state === 'COMPLETE',
    timeout: 240_000,
  });
  await expectNothingLeft(stage(), cluster);
});
