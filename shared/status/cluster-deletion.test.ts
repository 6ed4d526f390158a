import { describe, expect, test } from 'vitest';
import type { Observed } from './observed.ts';
import { deletionStatus, leaving, magnumRows, overdueMark, secret } from './testing/deletion.ts';
import { ago, cluster, machine, master, openStackServer, record, severe } from './testing/objects.ts';

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
    const derived = deletionStatus({ cluster: deleting, ...changes });
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
      const derived = deletionStatus({ cluster: object, machines: [master, going], openStackServers: servers });
      expect(derived?.report.status_reason).not.toContain('Quota');
    }
  });

  test('a deleted Cluster says nothing of infrastructure that went', () => {
    const said = { InfrastructureReady: ['False', 'Deleted', 'OpenStackCluster has been deleted'] } as const;
    const derived = deletionStatus({
      cluster: cluster({ metadata: leaving, said }),
      machines: [],
      machineDeployments: [],
    });
    expect(derived?.report.status_reason).toBe('The Cluster is still there.');
  });

  test.each<[string, Partial<Observed>]>([
    ['its record', { cluster: cluster({ records: { '': record('cluster.delete', { deadline: ago(1) }) } }) }],
    ['the mark on the Secret', { cluster: deleting, cloudConfig: { ...secret, deleteRequested: overdueMark } }],
  ])('it fails when the deadline of %s has passed', (_what, changes) => {
    const derived = deletionStatus(changes);
    expect(derived?.report).toMatchObject({ action: 'DELETE', state: 'FAILED' });
    expect(derived?.report.status_reason).toMatch(
      /^Deleting the cluster was not complete in time, by 2026-01-01T00:59:00.000Z\. /,
    );
  });

  test('it is never complete, whatever was recorded', () => {
    const done = cluster({ records: { '': record('cluster.delete', { completed: ago(1) }) } });
    expect(deletionStatus({ cluster: done }, magnumRows('DELETE_IN_PROGRESS'))?.report).toMatchObject({
      action: 'DELETE',
      state: 'IN_PROGRESS',
    });
  });

  test('it goes on from the moment that Magnum says so', () => {
    const records = { '': record('cluster.create', { completed: ago(9) }) };
    const report = (row: string) => deletionStatus({ cluster: cluster({ records }) }, magnumRows(row))?.report;
    expect(report('DELETE_IN_PROGRESS')).toMatchObject({ action: 'DELETE', state: 'IN_PROGRESS' });
    expect(report('CREATE_COMPLETE')).toMatchObject({ action: 'CREATE', state: 'COMPLETE' });
  });

  test('a nodegroup of which nothing is left goes on with the cluster', () => {
    const object = cluster({ records: { '': record('cluster.delete') } });
    const derived = deletionStatus({ cluster: object, machines: [], machineDeployments: [] });
    expect(derived?.report.nodegroups.map(({ state }) => state)).toEqual(['IN_PROGRESS', 'IN_PROGRESS']);
  });

  test('a nodegroup that was deleted before stays deleted', () => {
    const records = { x: record('nodegroup.delete', { completed: ago(9) }) };
    const derived = deletionStatus({ cluster: cluster({ records, metadata: leaving }) });
    expect(derived?.report.nodegroups.find(({ name }) => name === 'x')).toMatchObject({
      action: 'DELETE',
      state: 'COMPLETE',
    });
  });
});
