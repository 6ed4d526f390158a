import { describe, expect, test } from 'vitest';
import { openRecord } from '../kubernetes/operation-record.ts';
import { deriveStatus } from './derive-status.ts';
import type { MagnumView, Observed, ObservedCloudConfig } from './observed.ts';
import {
  ago,
  cluster,
  controlPlane,
  machine,
  machineDeployment,
  master,
  now,
  observed,
  openStackServer,
  record,
  severe,
  stackId,
  uuid,
} from './testing/objects.ts';

function magnum(status: string | null): MagnumView {
  const nodegroups = [
    { name: 'default-master', status, role: 'master' },
    { name: 'default-worker', status, role: 'worker' },
  ];
  return { uuid, status, nodegroups };
}

const mark = openRecord({ id: 'e1', time: ago(10) }, 'cluster.delete', 60);
const overdueMark = openRecord({ id: 'e1', time: ago(61) }, 'cluster.delete', 60);
const secret: ObservedCloudConfig = { uuid, record: null, deleteRequested: null, created: ago(600) };
const gone: Partial<Observed> = { cluster: null, controlPlane: undefined, machineDeployments: [], machines: [] };
const leaving = { deletionTimestamp: ago(5) };

function status(changes: Partial<Observed>, view: MagnumView | null = null) {
  return deriveStatus(observed(changes), { now, magnum: view });
}

describe('while the Cluster is still there', () => {
  const draining = machine('w', {
    metadata: leaving,
    said: { Deleting: ['True', 'DrainingNode', 'Drain not completed yet (started at x):\n* Pod p: cannot evict'] },
  });
  const deleting = cluster({
    records: { '': record('cluster.create', { completed: ago(20) }) },
    metadata: leaving,
    said: { Deleting: ['True', 'WaitingForWorkersDeletion', '* MachineDeployments: kube-abcde-w'] },
  });

  test.each<[string, Partial<Observed>, string]>([
    [
      'a machine',
      { machines: [draining] },
      'Machine w of nodegroup default-worker is still there: Drain not completed yet (started at x): Pod p: cannot evict.',
    ],
    [
      'many machines',
      { machines: [...['a', 'b', 'c'].map((name) => machine(name, { metadata: leaving })), draining] },
      'Pod p: cannot evict. Machine a of nodegroup default-worker is still there. 2 more machines are still there.',
    ],
    ['a machine deployment', { machines: [] }, 'The machine deployments of the cluster are still there.'],
    [
      'the infrastructure',
      {
        machines: [],
        machineDeployments: [],
        openStackCluster: {
          metadata: { name: 'i' },
          status: { conditions: [severe('Ready', 'OpenStackError', 'failed to delete router: in use', 'Warning')] },
        },
      },
      'The infrastructure of the cluster: failed to delete router: in use. The infrastructure of the cluster is still there.',
    ],
    ['nothing else', { machines: [], machineDeployments: [], openStackCluster: null }, 'The Cluster is still there.'],
    [
      'a server',
      {
        machines: [draining],
        openStackServers: [
          openStackServer('w', {
            conditions: [severe('InstanceReady', 'InstanceDeleteFailed', 'Deleting instance failed: 409')],
          }),
        ],
      },
      'Machine w of nodegroup default-worker: Deleting instance failed: 409.',
    ],
  ])('the report names what is left: %s', (_what, changes, reason) => {
    const derived = status({ cluster: deleting, ...changes });
    expect(derived).toMatchObject({ completed: [], isOpen: true, report: { action: 'DELETE', state: 'IN_PROGRESS' } });
    expect(derived?.report.status_reason).toContain(reason);
    expect(derived?.report.nodegroups.map(({ action, state }) => [action, state])).toEqual([
      ['DELETE', 'IN_PROGRESS'],
      ['DELETE', 'IN_PROGRESS'],
    ]);
  });

  test('what kept a server from coming up is old news', () => {
    const conditions = [severe('InstanceReady', 'InstanceCreateFailed', 'Quota exceeded')];
    const going = machine('w', { metadata: leaving });
    const servers = [openStackServer('w', { instanceState: 'ERROR', conditions })];
    for (const object of [deleting, cluster({ records: { '': record('cluster.upgrade') } })]) {
      const derived = status({ cluster: object, machines: [master, going], openStackServers: servers });
      expect(derived?.report.status_reason).not.toContain('Quota');
    }
  });

  test('a deleted Cluster says nothing of infrastructure that went', () => {
    const said = { InfrastructureReady: ['False', 'Deleted', 'OpenStackCluster has been deleted'] } as const;
    const derived = status({ cluster: cluster({ metadata: leaving, said }), machines: [], machineDeployments: [] });
    expect(derived?.report.status_reason).toBe('The Cluster is still there.');
  });

  test.each<[string, Partial<Observed>]>([
    ['its record', { cluster: cluster({ records: { '': record('cluster.delete', { deadline: ago(1) }) } }) }],
    ['the mark on the Secret', { cluster: deleting, cloudConfig: { ...secret, deleteRequested: overdueMark } }],
  ])('it fails when the deadline of %s has passed', (_what, changes) => {
    const derived = status(changes);
    expect(derived?.report).toMatchObject({ action: 'DELETE', state: 'FAILED' });
    expect(derived?.report.status_reason).toMatch(
      /^Deleting the cluster was not complete in time, by 2026-01-01T00:59:00.000Z\. /,
    );
  });

  test('it is never complete, whatever was recorded', () => {
    const done = cluster({ records: { '': record('cluster.delete', { completed: ago(1) }) } });
    expect(status({ cluster: done }, magnum('DELETE_IN_PROGRESS'))?.report).toMatchObject({
      action: 'DELETE',
      state: 'IN_PROGRESS',
    });
  });

  test('it goes on from the moment that Magnum says so', () => {
    const records = { '': record('cluster.create', { completed: ago(9) }) };
    const report = (row: string) => status({ cluster: cluster({ records }) }, magnum(row))?.report;
    expect(report('DELETE_IN_PROGRESS')).toMatchObject({ action: 'DELETE', state: 'IN_PROGRESS' });
    expect(report('CREATE_COMPLETE')).toMatchObject({ action: 'CREATE', state: 'COMPLETE' });
  });

  test('a nodegroup of which nothing is left goes on with the cluster', () => {
    const object = cluster({ records: { '': record('cluster.delete') } });
    const derived = status({ cluster: object, machines: [], machineDeployments: [] });
    expect(derived?.report.nodegroups.map(({ state }) => state)).toEqual(['IN_PROGRESS', 'IN_PROGRESS']);
  });

  test('a nodegroup that was deleted before stays deleted', () => {
    const records = { x: record('nodegroup.delete', { completed: ago(9) }) };
    const derived = status({ cluster: cluster({ records, metadata: leaving }) });
    expect(derived?.report.nodegroups.find(({ name }) => name === 'x')).toMatchObject({
      action: 'DELETE',
      state: 'COMPLETE',
    });
  });
});

describe('without a Cluster', () => {
  const missing = `The Cluster ${stackId} is missing in the management cluster, and nobody asked this driver to delete it.`;
  const cleaning = 'The cluster is gone, and what was made for it in the cloud is being cleaned up.';
  const coming = 'The cluster is not in the management cluster yet.';
  const marked = { ...secret, deleteRequested: mark };

  test.each<[string, ObservedCloudConfig | null | undefined, string | null, object | null]>([
    [
      'the Secret is marked',
      marked,
      'DELETE_IN_PROGRESS',
      { action: 'DELETE', state: 'IN_PROGRESS', status_reason: cleaning },
    ],
    [
      'the Secret is marked and Magnum did not ask',
      marked,
      null,
      { action: 'DELETE', state: 'IN_PROGRESS', status_reason: cleaning },
    ],
    [
      'the mark is overdue',
      { ...secret, deleteRequested: overdueMark },
      'DELETE_IN_PROGRESS',
      {
        action: 'DELETE',
        state: 'FAILED',
        status_reason: `Deleting the cluster was not complete in time, by 2026-01-01T00:59:00.000Z. ${cleaning}`,
      },
    ],
    [
      'nothing is left, and Magnum deletes',
      null,
      'DELETE_IN_PROGRESS',
      { action: 'DELETE', state: 'COMPLETE', status_reason: null },
    ],
    ['nothing is left, and Magnum failed to delete', null, 'DELETE_FAILED', { action: 'DELETE', state: 'COMPLETE' }],
    [
      'nothing is left, and Magnum knows it as complete',
      null,
      'CREATE_COMPLETE',
      { action: 'CREATE', state: 'FAILED', status_reason: missing },
    ],
    [
      'nothing is left, and Magnum updates',
      null,
      'UPDATE_IN_PROGRESS',
      { action: 'UPDATE', state: 'FAILED', status_reason: missing },
    ],
    [
      'the Secret has no mark',
      secret,
      'UPDATE_COMPLETE',
      { action: 'UPDATE', state: 'FAILED', status_reason: missing },
    ],
    [
      'the Secret has no mark although Magnum deletes',
      secret,
      'DELETE_IN_PROGRESS',
      { action: 'DELETE', state: 'FAILED', status_reason: missing },
    ],
    [
      'the Secret has no mark and Magnum did not ask',
      secret,
      null,
      { action: null, state: 'FAILED', status_reason: missing },
    ],
    [
      'Magnum creates and nothing is there yet',
      null,
      'CREATE_IN_PROGRESS',
      { action: 'CREATE', state: 'IN_PROGRESS', status_reason: coming },
    ],
    [
      'Magnum creates and the Secret is there',
      secret,
      'CREATE_IN_PROGRESS',
      { action: 'CREATE', state: 'IN_PROGRESS', status_reason: coming },
    ],
    [
      'the Secret is new',
      { ...secret, created: ago(0.5) },
      null,
      { action: 'CREATE', state: 'IN_PROGRESS', status_reason: coming },
    ],
    ['its create was refused', null, 'CREATE_FAILED', null],
    ['the Secret was not read', undefined, 'DELETE_IN_PROGRESS', null],
  ])('when %s', (_what, cloudConfig, row, report) => {
    const derived = status({ ...gone, cloudConfig }, row === null ? null : magnum(row));
    if (report === null) expect(derived).toBeNull();
    else
      expect(derived?.report).toMatchObject({
        cluster_uuid: uuid,
        stack_id: stackId,
        coe_version: null,
        api_address: null,
        ...report,
      });
  });

  test('its nodegroups share its fate', () => {
    const derived = status({ ...gone, cloudConfig: null }, magnum('DELETE_IN_PROGRESS'));
    const shared = { action: 'DELETE', state: 'COMPLETE', status_reason: null, node_count: null, node_addresses: [] };
    expect(derived?.report.nodegroups).toEqual([
      { name: 'default-master', ...shared },
      { name: 'default-worker', ...shared },
    ]);
  });

  test.each<[string, Partial<Observed>]>([
    ['nothing', { ...gone, cloudConfig: null }],
    ['a Secret that names no cluster', { ...gone, cloudConfig: { ...secret, uuid: null } }],
    [
      'a Cluster that no Magnum driver made',
      {
        cluster: cluster({ metadata: { labels: {} } }),
        controlPlane: controlPlane(),
        machines: [master],
        machineDeployments: [machineDeployment()],
      },
    ],
  ])('%s is nothing to report', (_what, changes) => {
    expect(status(changes)).toBeNull();
  });

  test("Magnum's rows of another cluster count for nothing", () => {
    const other = { ...magnum('DELETE_IN_PROGRESS'), uuid: 'another' };
    expect(status({ ...gone, cloudConfig: secret }, other)?.report).toMatchObject({
      cluster_uuid: uuid,
      action: null,
      state: 'FAILED',
    });
  });
});

describe('when the Cluster is gone and the cloud is being cleaned up', () => {
  const group = 'Server group kube-abcde cannot be deleted: OpenStack compute answered 403.';
  const cleaning = (isDone: boolean, deleteRequested = mark, remaining = [group]) =>
    status({ ...gone, cloudConfig: { ...secret, deleteRequested }, cleanUp: { isDone, remaining } }, magnum(null));

  test('what may still go keeps the deletion open, and is told', () => {
    const { report, isOpen } = cleaning(false) ?? {};
    expect(report).toMatchObject({ action: 'DELETE', state: 'IN_PROGRESS' });
    expect(report?.status_reason).toMatch(/being cleaned up\. Server group kube-abcde cannot be deleted/);
    expect(isOpen).toBe(true);
  });

  test('it has failed when its time is up, and still says what remains', () => {
    expect(cleaning(false, overdueMark)?.report).toMatchObject({
      state: 'FAILED',
      status_reason: expect.stringContaining(group),
    });
  });

  test.each([
    ['even too late', overdueMark],
    ['in time', mark],
  ])('it is complete, with its nodegroups, when nothing is left %s', (_title, deleteRequested) => {
    const { report, isOpen, completed } = cleaning(true, deleteRequested, []) ?? {};
    const complete = { action: 'DELETE', state: 'COMPLETE', status_reason: null };
    expect(report).toMatchObject({ cluster_uuid: uuid, ...complete, nodegroups: [complete, complete] });
    expect({ isOpen, completed }).toEqual({ isOpen: false, completed: [] });
  });

  test('it is complete with a reason where something stays for good', () => {
    expect(cleaning(true)?.report).toMatchObject({ state: 'COMPLETE', status_reason: group });
  });
});
