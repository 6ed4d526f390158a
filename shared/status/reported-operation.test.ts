import { describe, expect, test } from 'vitest';
import type { MagnumView, Observed } from './observed.ts';
import { deletionStatus, gone, leaving, magnumRows, mark, overdueMark, secret } from './testing/deletion.ts';
import { created, creating, magnum, reportOf, row, upgrading } from './testing/derived.ts';
import { ago, type ClusterFields, cluster, machineDeployment, record } from './testing/objects.ts';

type Report = ReturnType<typeof reportOf>;

/** Ids of the operations that a report is about: the cluster's, then the nodegroups' by name. */
function operationsOf({ operation, nodegroups }: Report): [string | null, Record<string, string | null>] {
  return [operation, Object.fromEntries(nodegroups.map((entry) => [entry.name, entry.operation]))];
}

describe('a report names the operation that it is about', () => {
  const older = { started: ago(40) };
  const resize = record('cluster.resize');
  const copy = (type: string) => record(type, { completed: ago(20) });

  test.each<[string, ClusterFields['records'], string, string, string]>([
    ['a create', creating, 'id-cluster.create', 'id-cluster.create', 'id-cluster.create'],
    ['a create that is complete', created, 'id-cluster.create', 'id-cluster.create', 'id-cluster.create'],
    [
      'an upgrade that the control plane has ended before the others',
      { ...upgrading, 'default-master': copy('cluster.upgrade') },
      'id-cluster.upgrade',
      'id-cluster.upgrade',
      'id-cluster.upgrade',
    ],
    [
      'an upgrade after a resize',
      { ...upgrading, 'default-worker': { ...resize, ...older } },
      'id-cluster.upgrade',
      'id-cluster.upgrade',
      'id-cluster.upgrade',
    ],
    [
      'a resize after the create',
      { ...created, 'default-worker': resize },
      'id-cluster.resize',
      'id-cluster.create',
      'id-cluster.resize',
    ],
    [
      'a resize of which the deadline has passed',
      { ...created, 'default-worker': { ...resize, deadline: ago(1) } },
      'id-cluster.resize',
      'id-cluster.create',
      'id-cluster.resize',
    ],
  ])('for %s', (_what, records, ofCluster, ofMaster, ofWorker) => {
    expect(operationsOf(reportOf({ cluster: cluster({ records: records ?? {} }) }))).toEqual([
      ofCluster,
      { 'default-master': ofMaster, 'default-worker': ofWorker },
    ]);
  });

  test('for a nodegroup that is deleted', () => {
    const records = { ...created, gone: record('nodegroup.delete') };
    expect(operationsOf(reportOf({ cluster: cluster({ records }) }))).toEqual([
      'id-nodegroup.delete',
      {
        'default-master': 'id-cluster.create',
        'default-worker': 'id-cluster.create',
        gone: 'id-nodegroup.delete',
      },
    ]);
  });

  test("and none for a nodegroup where the cluster's last operation was about something else", () => {
    const records = { '': record('cluster.credential.rotate') };
    expect(operationsOf(reportOf({ cluster: cluster({ records }) }))).toEqual([
      'id-cluster.credential.rotate',
      { 'default-master': null, 'default-worker': null },
    ]);
  });

  test.each<[string, Partial<Observed>, MagnumView | null, string | null]>([
    ['a cluster of the original driver', { cluster: cluster() }, magnum('UPDATE_IN_PROGRESS'), null],
    [
      'a nodegroup that Cluster API alone removes',
      {
        cluster: cluster({ records: created }),
        machineDeployments: [machineDeployment(), machineDeployment('other', { metadata: leaving })],
      },
      null,
      'id-cluster.create',
    ],
    [
      'a nodegroup of which Magnum alone knows',
      { cluster: cluster({ records: created }) },
      magnum('UPDATE_IN_PROGRESS', [row('other', 'CREATE_IN_PROGRESS')]),
      'id-cluster.create',
    ],
  ])('and none for %s', (_what, changes, view, ofCluster) => {
    const report = reportOf(changes, view);
    expect(report.operation).toBe(ofCluster);
    expect(report.nodegroups.at(-1)).toMatchObject({ operation: null });
  });
});

describe('a report of a deletion names', () => {
  const records = { '': record('cluster.upgrade'), gone: record('nodegroup.delete', { completed: ago(9) }) };
  const marked = { ...secret, deleteRequested: mark };

  test('the delete mark as long as the Cluster is there, for the nodegroups too', () => {
    const report = deletionStatus({ cluster: cluster({ records, metadata: leaving }), cloudConfig: marked })?.report;
    expect(report).toMatchObject({
      operation: mark.id,
      nodegroups: [{ operation: mark.id }, { operation: mark.id }, {}],
    });
    expect(report?.nodegroups[2]).toMatchObject({ name: 'gone', operation: 'id-nodegroup.delete' });
  });

  test.each<[string, Partial<Observed>, string | null]>([
    ['the mark while the cloud is being cleaned up', { cloudConfig: marked }, mark.id],
    ['the mark when it is overdue', { cloudConfig: { ...secret, deleteRequested: overdueMark } }, overdueMark.id],
    ['the mark when nothing is left', { cloudConfig: marked, cleanUp: { isDone: true, remaining: [] } }, mark.id],
    ['nothing once the Secret is gone', { cloudConfig: null }, null],
    ['nothing without a mark', { cloudConfig: secret }, null],
  ])('%s', (_what, changes, operation) => {
    const report = deletionStatus({ ...gone, ...changes }, magnumRows('DELETE_IN_PROGRESS'))?.report;
    expect(report).toMatchObject({ operation, nodegroups: [{ operation }, { operation }] });
  });

  test('nothing while only Magnum tells of it', () => {
    const changes = { cluster: cluster({ records }), cloudConfig: secret };
    expect(deletionStatus(changes, magnumRows('DELETE_IN_PROGRESS'))?.report).toMatchObject({
      action: 'DELETE',
      operation: null,
    });
  });

  test('nothing of a cluster that is just coming', () => {
    expect(deletionStatus({ ...gone, cloudConfig: null }, magnumRows('CREATE_IN_PROGRESS'))?.report).toMatchObject({
      action: 'CREATE',
      operation: null,
    });
  });
});
