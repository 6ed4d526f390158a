import { describe, expect, test } from 'vitest';
import type { MagnumView, Observed } from './observed.ts';
import { aMachine, created, derived, magnum, nodegroup, reportOf, row, upgrading } from './testing/derived.ts';
import { ago, cluster, machine, machineDeployment, master, provisioning, record, worker } from './testing/objects.ts';

describe('a nodegroup that is ahead of the others', () => {
  const open = record('cluster.create', { started: ago(40) });
  const behind = aMachine({ said: provisioning });

  test('ends the operation of the cluster for itself', () => {
    expect(derived({ cluster: cluster({ records: { '': open } }), ...behind }).completed).toEqual([
      { nodegroup: 'default-master', record: open },
    ]);
  });

  test('stays complete whatever happens to its machines until the others are', () => {
    const records = { '': open, 'default-master': { ...open, completed: ago(20) } };
    const changes = { cluster: cluster({ records }), machines: [machine('w', { said: provisioning })] };
    expect(nodegroup('default-master', changes)).toMatchObject({ action: 'CREATE', state: 'COMPLETE' });
    expect(derived(changes)).toMatchObject({ report: { action: 'CREATE', state: 'IN_PROGRESS' }, completed: [] });
    expect(reportOf(changes).status_reason).toContain('The control plane');
  });

  test('is held by the next operation of the cluster again', () => {
    const records = { ...upgrading, 'default-master': { ...open, completed: ago(39) } };
    const changes = { cluster: cluster({ records, topology: { version: 'v1.34.1' } }) };
    expect(nodegroup('default-master', changes)).toMatchObject({ action: 'UPDATE', state: 'IN_PROGRESS' });
  });

  test('is told no more once it is gone', () => {
    const records = { ...created, other: { ...open, completed: ago(40) } };
    expect(reportOf({ cluster: cluster({ records }) }).nodegroups.map(({ name }) => name)).not.toContain('other');
  });
});

describe('a nodegroup that was created later', () => {
  const records = { ...created, extra: record('nodegroup.create') };
  const nodegroups = [
    { name: 'default-worker', replicas: 1 },
    { name: 'extra', replicas: 1 },
  ];
  const machineDeployments = [machineDeployment(), machineDeployment('extra')];

  test('is complete by itself, whatever the others do', () => {
    const machines = [master, machine('w', { said: provisioning }), machine('e', { nodegroup: 'extra' })];
    expect(derived({ cluster: cluster({ records, nodegroups }), machineDeployments, machines })).toMatchObject({
      report: { action: 'UPDATE', state: 'COMPLETE' },
      completed: [{ nodegroup: 'extra' }],
    });
  });

  test('does not keep the create of the cluster from being complete', () => {
    const machines = [master, worker, machine('e', { nodegroup: 'extra', said: provisioning })];
    const own = { '': record('cluster.create', { started: ago(40) }), extra: record('nodegroup.create') };
    const status = derived({ cluster: cluster({ records: own, nodegroups }), machineDeployments, machines });
    expect(status).toMatchObject({
      report: { action: 'UPDATE', state: 'IN_PROGRESS' },
      completed: [{ nodegroup: null }],
    });
    expect(status.report.status_reason).toBe(
      'Nodegroup extra has 0 of 1 machines ready: machine e is waiting for its server.',
    );
  });

  test('goes on while Magnum alone knows of it, whatever the cluster has completed', () => {
    const view = magnum('UPDATE_IN_PROGRESS', [row('new', 'CREATE_IN_PROGRESS')]);
    for (const done of [created, { '': record('cluster.upgrade', { completed: ago(20) }) }]) {
      expect(nodegroup('new', { cluster: cluster({ records: done }) }, view)).toMatchObject({
        action: 'CREATE',
        state: 'IN_PROGRESS',
        status_reason: 'Nodegroup new is not in the topology of the cluster.',
      });
    }
  });

  test('goes on while the topology is not reconciled', () => {
    const machines = [master, worker, machine('e', { nodegroup: 'extra' })];
    const changes = {
      cluster: cluster({ records, nodegroups, metadata: { generation: 9 } }),
      machineDeployments,
      machines,
    };
    expect(nodegroup('extra', changes).state).toBe('IN_PROGRESS');
  });

  test('is complete under an upgrade that came after it, and both records can be closed', () => {
    const both = { ...upgrading, extra: record('nodegroup.create', { started: ago(40) }) };
    const machines = [master, worker, machine('e', { nodegroup: 'extra' })];
    expect(
      derived({ cluster: cluster({ records: both, nodegroups }), machineDeployments, machines }).completed,
    ).toMatchObject([{ nodegroup: null }, { nodegroup: 'extra', record: { type: 'cluster.upgrade' } }]);
  });
});

describe('a nodegroup that is deleted', () => {
  const records = { ...created, gone: record('nodegroup.delete') };
  const left = machine('g', { nodegroup: 'gone', metadata: { deletionTimestamp: ago(1) } });
  const going = machineDeployment('gone', { metadata: { deletionTimestamp: ago(1) } });

  test('goes on while machines are left, and says which', () => {
    const changes = {
      cluster: cluster({ records }),
      machines: [master, worker, left],
      machineDeployments: [machineDeployment(), going],
    };
    expect(nodegroup('gone', changes)).toMatchObject({
      action: 'DELETE',
      state: 'IN_PROGRESS',
      status_reason: 'Machine g of nodegroup gone is still there.',
      node_count: null,
    });
    expect(reportOf(changes)).toMatchObject({ action: 'UPDATE', state: 'IN_PROGRESS' });
  });

  test('goes on while its machine deployment is left', () => {
    const changes = { cluster: cluster({ records }), machineDeployments: [machineDeployment(), going] };
    expect(nodegroup('gone', changes).status_reason).toBe('The MachineDeployment of nodegroup gone is still there.');
  });

  test('is complete when nothing is left, although the topology still names it', () => {
    const nodegroups = [
      { name: 'default-worker', replicas: 1 },
      { name: 'gone', replicas: 1 },
    ];
    for (const changes of [{ cluster: cluster({ records }) }, { cluster: cluster({ records, nodegroups }) }]) {
      expect(nodegroup('gone', changes)).toMatchObject({ action: 'DELETE', state: 'COMPLETE', status_reason: null });
      expect(derived(changes)).toMatchObject({
        report: { action: 'UPDATE', state: 'COMPLETE' },
        completed: [{ nodegroup: 'gone' }],
      });
    }
  });

  test('fails when its deadline has passed', () => {
    const late = { ...created, gone: record('nodegroup.delete', { deadline: ago(1) }) };
    expect(
      nodegroup('gone', { cluster: cluster({ records: late }), machineDeployments: [machineDeployment(), going] }),
    ).toMatchObject({
      state: 'FAILED',
      status_reason:
        'Deleting nodegroup gone was not complete in time, by 2026-01-01T00:59:00.000Z. The MachineDeployment of nodegroup gone is still there.',
    });
  });

  test.each<[string, Partial<Observed>, MagnumView | null]>([
    ['Cluster API says so', { machineDeployments: [machineDeployment(), going] }, null],
    [
      'its machine deployment is no longer in the topology',
      { machineDeployments: [machineDeployment(), machineDeployment('gone')] },
      null,
    ],
    [
      'Magnum says so',
      { machines: [master, worker, left] },
      magnum('UPDATE_IN_PROGRESS', [row('gone', 'DELETE_IN_PROGRESS')]),
    ],
  ])('needs no record where %s', (_what, changes, view) => {
    const group = nodegroup('gone', { cluster: cluster({ records: created }), ...changes }, view);
    expect(group).toMatchObject({ action: 'DELETE', state: 'IN_PROGRESS' });
  });

  test('is complete without a record where Magnum says that it goes and nothing is left', () => {
    const view = magnum('UPDATE_IN_PROGRESS', [row('gone', 'DELETE_IN_PROGRESS')]);
    expect(nodegroup('gone', { cluster: cluster({ records: created }) }, view)).toMatchObject({
      action: 'DELETE',
      state: 'COMPLETE',
    });
  });

  test('is not one that is just coming, whose machine deployment was read after the Cluster', () => {
    const coming = machineDeployment('new', { metadata: { creationTimestamp: ago(0) } });
    const names = reportOf({ machineDeployments: [machineDeployment(), coming] }).nodegroups.map(({ name }) => name);
    expect(names).toEqual(['default-master', 'default-worker']);
  });
});
