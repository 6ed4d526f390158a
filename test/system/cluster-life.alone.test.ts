import { afterAll, beforeAll, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { deriveStatus } from '../../shared/status/derive-status.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { listAt, textAt } from '../../shared/status/views/json-part.ts';
import { waitFor } from '../env/wait-for.ts';
import { describeCluster } from '../functions/cluster-view.ts';
import { createEvent } from '../functions/create-event.ts';
import { type ObjectHistory, ReplayedCluster, recordObjectHistory } from './object-history.ts';
import { applyOperation } from './recorded-operation.ts';
import { statusOf } from './report-log.ts';
import { systemOfFile } from './system-of-file.ts';

const system = systemOfFile();
const before = 'v1.33.4';
const after = 'v1.34.1';
/** Milliseconds that the real managers get for bringing up or replacing two machines on a busy machine. */
const patience = 240_000;

let history: ObjectHistory | undefined;
let stackId = '';
let networks = 0;

beforeAll(async () => {
  networks = system().cloud.state.networks.length;
  history = await recordObjectHistory(system().controlPlane.kubeconfigPath);
});
afterAll(() => history?.stop());

function complete(report: StatusReport): boolean {
  return report.state === 'COMPLETE';
}

test('a new cluster is reported step by step until it is complete', async () => {
  const { create, cloud, reports } = system();
  stackId = await create(await createEvent(cloud, { workers: { node_count: 1 }, labels: { kube_tag: before } }));
  const report = await reports.status(stackId, { what: 'CREATE_COMPLETE', matches: complete, timeout: patience });
  expect(report).toMatchObject({ action: 'CREATE', status_reason: null, coe_version: before });
  expect(report.api_address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(report.nodegroups.map(({ name, node_count }) => [name, node_count])).toEqual([
    ['default-master', 1],
    ['default-worker', 1],
  ]);
  const addresses = report.nodegroups.flatMap(({ node_addresses }) => node_addresses);
  expect(new Set(addresses).size).toBe(2);
  const states = reports.statuses(stackId).map(statusOf);
  expect(states.indexOf('CREATE_COMPLETE')).toBe(states.length - 1);
  expect(new Set(states.slice(0, -1))).toEqual(new Set(['CREATE_IN_PROGRESS']));
});

test('every report before the last tells what is being waited for', () => {
  const waiting = system().reports.statuses(stackId).slice(0, -1);
  expect(waiting.length).toBeGreaterThan(3);
  expect(waiting.filter(({ status_reason }) => !status_reason)).toEqual([]);
});

test('the healthy cluster is reported as healthy', async () => {
  const matches = ({ health_status }: { health_status: string }) => health_status === 'HEALTHY';
  const health = await system().reports.health(stackId, { what: 'HEALTHY', matches, timeout: 60_000 });
  expect(Object.keys(health.health_status_reason)).toHaveLength(3);
  expect(health.health_status_reason).toMatchObject({ api: 'ok' });
});

test('its control plane and its etcd are well, on servers that run', async () => {
  const { kubernetes, cloud } = system();
  const [controlPlane] = await kubernetes.list(resources.kubeadmControlPlane, { namespace });
  const wells = listAt(controlPlane, 'status', 'conditions').filter(
    (condition) => textAt(condition, 'status') === 'True',
  );
  const names = wells.map((condition) => textAt(condition, 'type'));
  expect(names).toEqual(expect.arrayContaining(['Available', 'EtcdClusterHealthy', 'ControlPlaneComponentsHealthy']));
  expect(cloud.state.servers.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
});

test('its objects can be shown', async () => {
  const lines = (await describeCluster(system().api, stackId)).split('\n');
  expect(lines.filter((line) => line.startsWith('Machine '))).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith('OpenStackCluster '))).toHaveLength(1);
});

test('an upgrade is complete when the last machine runs the new version, and not before', async () => {
  const { kubernetes, reports } = system();
  const already = reports.statuses(stackId).length;
  await applyOperation(kubernetes, stackId, {
    type: 'cluster.upgrade',
    changes: [{ op: 'replace', path: '/spec/topology/version', value: after }],
  });
  const matches = (report: StatusReport) => report.action === 'UPDATE' && report.state === 'COMPLETE';
  const report = await reports.status(stackId, { what: 'UPDATE_COMPLETE', matches, timeout: patience });
  expect(report.coe_version).toBe(after);
  const machines = await kubernetes.list(resources.machine, { namespace });
  expect(machines.map(({ spec }) => spec)).toEqual([
    expect.objectContaining({ version: after }),
    expect.objectContaining({ version: after }),
  ]);
  const states = reports.statuses(stackId).slice(already).map(statusOf);
  expect(new Set(states.slice(0, -1))).toEqual(new Set(['UPDATE_IN_PROGRESS']));
});

test('a Cluster that goes is reported as being deleted until nothing is left of it', async () => {
  const { kubernetes, reports, cloud, capo } = system();
  await kubernetes.delete(resources.cluster, { namespace, name: stackId });
  const matches = ({ action }: StatusReport) => action === 'DELETE';
  await reports.status(stackId, { what: 'DELETE_IN_PROGRESS', matches });
  await waitFor(
    async () => {
      expect(await kubernetes.find(resources.cluster, { namespace, name: stackId })).toBeUndefined();
    },
    { what: `the end of ${stackId}`, timeout: patience },
  );
  expect([cloud.state.servers, cloud.state.loadBalancers]).toEqual([[], []]);
  expect(cloud.state.networks).toHaveLength(networks);
  expect(capo.workloadCluster(stackId)).toBeUndefined();
});

test('every prefix of that life gives a status, whatever object is missing, and none is complete too early', () => {
  const cluster = new ReplayedCluster(stackId);
  let derived = 0;
  for (const change of history?.changes ?? []) {
    if (!cluster.take(change)) continue;
    for (const missing of [undefined, ...cluster.keys]) {
      const status = deriveStatus(cluster.observed(missing), { now: new Date(), magnum: null });
      derived += 1;
      if (missing === undefined && status?.report.state === 'COMPLETE') expectOneVersion(cluster, status.report);
    }
  }
  expect(derived).toBeGreaterThan(1_000);
});

/** All machines have the version that is told, and none is on its way out. */
function expectOneVersion(cluster: ReplayedCluster, { coe_version }: StatusReport): void {
  for (const { metadata, spec } of cluster.observed().machines) {
    expect(spec).toMatchObject({ version: coe_version });
    expect(metadata?.deletionTimestamp).toBeUndefined();
  }
}
