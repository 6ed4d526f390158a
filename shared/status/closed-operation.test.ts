import { describe, expect, test } from 'vitest';
import { aMachine, created, derived, nodegroup, reportOf } from './testing/derived.ts';
import { ago, type ClusterFields, cluster, machineDeployment, provisioning, record } from './testing/objects.ts';

describe('a record that is closed', () => {
  const broken = { machineDeployments: [], machines: [], controlPlane: null };
  test('is complete whatever happened to the machines since', () => {
    const changes = {
      cluster: cluster({ records: created, said: { TopologyReconciled: ['False', 'ReconcileFailed', 'x'] } }),
      ...broken,
    };
    expect(reportOf(changes)).toMatchObject({ action: 'CREATE', state: 'COMPLETE', status_reason: null });
    expect(nodegroup('default-worker', changes)).toMatchObject({ state: 'COMPLETE', status_reason: null });
  });

  test('does not hide an open operation of a nodegroup', () => {
    const records = { ...created, 'default-worker': record('cluster.resize') };
    expect(derived({ cluster: cluster({ records }), ...broken })).toMatchObject({
      report: { action: 'UPDATE', state: 'IN_PROGRESS' },
      completed: [],
      isOpen: true,
    });
  });
});

describe('a deadline that has passed', () => {
  const overdue = { '': record('cluster.create', { deadline: ago(1) }) };
  test('makes the operation fail, with its cause', () => {
    const changes = { cluster: cluster({ records: overdue }), ...aMachine({ said: provisioning }) };
    expect(derived(changes)).toMatchObject({
      report: { action: 'CREATE', state: 'FAILED' },
      completed: [{ nodegroup: 'default-master' }],
      isOpen: true,
    });
    expect(reportOf(changes).status_reason).toBe(
      'The cluster was not complete in time, by 2026-01-01T00:59:00.000Z. ' +
        'Nodegroup default-worker has 0 of 1 machines ready: machine w is waiting for its server.',
    );
    expect(nodegroup('default-worker', changes).state).toBe('FAILED');
    expect(nodegroup('default-master', changes).state).toBe('COMPLETE');
  });

  test('does not keep it from being complete later', () => {
    expect(derived({ cluster: cluster({ records: overdue }) })).toMatchObject({
      report: { state: 'COMPLETE', status_reason: null },
      completed: [{ nodegroup: null }],
    });
  });

  test('of one nodegroup shows on the cluster once nothing goes on any more', () => {
    const failed = record('cluster.resize', { deadline: ago(1) });
    const other = machineDeployment('other', { replicas: 0 });
    const nodegroups = [
      { name: 'default-worker', replicas: 2 },
      { name: 'other', replicas: 0 },
    ];
    const state = (records: ClusterFields['records']) =>
      reportOf({
        cluster: cluster({ records: { ...created, ...records }, nodegroups }),
        machineDeployments: [machineDeployment(), other],
      }).state;
    expect(state({ 'default-worker': failed })).toBe('FAILED');
    expect(state({ 'default-worker': failed, other: record('nodegroup.create') })).toBe('FAILED');
    expect(state({ 'default-worker': record('cluster.resize'), other: failed })).toBe('IN_PROGRESS');
  });
});
