import { describe, expect, test } from 'vitest';
import { deriveStatus } from './derive-status.ts';
import type { MagnumView, Observed } from './observed.ts';
import {
  ago,
  type ClusterFields,
  cluster,
  controlPlane,
  machine,
  machineDeployment,
  master,
  now,
  observed,
  provisioning,
  record,
  stackId,
  uuid,
  worker,
} from './testing/objects.ts';

function derived(changes: Partial<Observed> = {}, magnum: MagnumView | null = null) {
  const status = deriveStatus(observed(changes), { now, magnum });
  if (status === null) throw new Error('There is nothing to report.');
  return status;
}

function reportOf(changes: Partial<Observed> = {}, magnum: MagnumView | null = null) {
  return derived(changes, magnum).report;
}

function nodegroup(name: string, changes: Partial<Observed> = {}, magnum: MagnumView | null = null) {
  const found = reportOf(changes, magnum).nodegroups.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no nodegroup ${name}.`);
  return found;
}

function magnum(status: string | null, nodegroups: MagnumView['nodegroups'] = []): MagnumView {
  return { uuid, status, nodegroups };
}

function row(name: string, status: string | null, role = 'worker') {
  return { name, status, role };
}

const creating = { '': record('cluster.create') };
const created = { '': record('cluster.create', { started: ago(50), completed: ago(40) }) };
const upgrading = { '': record('cluster.upgrade') };
const withCluster = (fields: ClusterFields) => ({ cluster: cluster({ records: creating, ...fields }) });

describe('a cluster on which all is well', () => {
  test('is complete, and its record can be closed', () => {
    const { report, completed, isOpen } = derived();
    expect(report).toEqual({
      cluster_uuid: uuid,
      stack_id: stackId,
      action: 'CREATE',
      state: 'COMPLETE',
      status_reason: null,
      api_address: 'https://203.0.113.7:6443',
      coe_version: 'v1.33.4',
      nodegroups: [
        {
          name: 'default-master',
          action: 'CREATE',
          state: 'COMPLETE',
          status_reason: null,
          node_count: 1,
          node_addresses: ['10.0.0.15'],
        },
        {
          name: 'default-worker',
          action: 'CREATE',
          state: 'COMPLETE',
          status_reason: null,
          node_count: 1,
          node_addresses: ['10.0.0.14'],
        },
      ],
    });
    expect(completed).toMatchObject([{ nodegroup: null }]);
    expect(isOpen).toBe(true);
  });

  test('has nothing open once its record is closed', () => {
    expect(derived({ cluster: cluster({ records: created }) })).toMatchObject({ completed: [], isOpen: false });
  });
});

const said = (fields: ClusterFields['said']) => withCluster({ ...(fields === undefined ? {} : { said: fields }) });
const aMachine = (fields: Parameters<typeof machine>[1]) => ({ machines: [master, machine('w', fields)] });
const aMaster = (fields: Parameters<typeof machine>[1]) => ({
  machines: [machine('m', { nodegroup: null, ...fields }), worker],
});
const anMd = (fields: Parameters<typeof machineDeployment>[1]) => ({
  machineDeployments: [machineDeployment('default-worker', fields)],
});
const aKcp = (fields: Parameters<typeof controlPlane>[0]) => ({ controlPlane: controlPlane(fields) });
const addons = (resources: readonly object[]) => ({
  resourceSet: {
    spec: {
      resources: [
        { kind: 'Secret', name: 'a' },
        { kind: 'Secret', name: 'b' },
      ],
    },
  },
  binding: { spec: { bindings: [{ clusterResourceSetName: `${stackId}-addons`, resources }] } },
});

describe('an open operation goes on while', () => {
  test.each<[string, Partial<Observed>, string]>([
    [
      'the topology is upgrading',
      said({
        TopologyReconciled: [
          'False',
          'ClusterUpgrading',
          'Cluster is upgrading to v1.33.4\n  * MachineDeployment x upgrading',
        ],
      }),
      'The topology is not reconciled: Cluster is upgrading to v1.33.4; MachineDeployment x upgrading.',
    ],
    [
      'the topology was not looked at',
      said({ TopologyReconciled: ['Unknown', ''] }),
      'The topology is not reconciled.',
    ],
    [
      'the topology is reconciled for an older generation',
      withCluster({ metadata: { generation: 4 } }),
      'Cluster API has not looked at the latest change of the topology yet.',
    ],
    [
      'the infrastructure is not ready',
      said({
        InfrastructureReady: ['False', 'NotReady', 'OpenStackCluster status.initialization.provisioned is false'],
      }),
      'The infrastructure of the cluster is not ready.',
    ],
    [
      'the control plane is not initialized',
      said({ ControlPlaneInitialized: ['False', 'NotInitialized', 'Control plane not yet initialized'] }),
      'The control plane is not initialized.',
    ],
    [
      'the control plane is not available',
      said({ ControlPlaneAvailable: ['False', 'NotAvailable', '* EtcdClusterHealthy: x'] }),
      'The control plane is not available: EtcdClusterHealthy: x.',
    ],
    ['there is no control plane', { controlPlane: null }, 'The control plane does not exist yet.'],
    ['the control plane was not read', { controlPlane: undefined }, 'The control plane is not checked in full yet.'],
    [
      'the control plane has the old version',
      aKcp({ version: 'v1.32.1' }),
      'The control plane has version v1.32.1 and is to have v1.33.4.',
    ],
    [
      'the change of the control plane was not seen',
      aKcp({ metadata: { generation: 3 } }),
      'The control plane has a change that Cluster API has not looked at yet.',
    ],
    [
      'the control plane is too small',
      { ...withCluster({ topology: { controlPlane: { replicas: 3 } } }) },
      'The control plane has 1 of 3 machines ready.',
    ],
    [
      'a control plane machine is old',
      aKcp({ status: { upToDateReplicas: 0 } }),
      'The control plane is to have 1 machine: 1 exist, 0 up to date, 1 ready, 1 available.',
    ],
    [
      'the control plane rolls out',
      aKcp({ said: { RollingOut: ['True', 'RollingOut', 'Rolling out 1 not up-to-date replicas'] } }),
      'The control plane: Rolling out 1 not up-to-date replicas.',
    ],
    [
      'a control plane machine has the old version',
      aMaster({ version: 'v1.32.1' }),
      'The control plane has 0 of 1 machines ready with v1.33.4: machine m has version v1.32.1 and is to have v1.33.4.',
    ],
    [
      'a machine is deleted',
      {
        machines: [
          master,
          worker,
          machine('o', {
            metadata: { deletionTimestamp: ago(1) },
            said: { Deleting: ['True', 'DrainingNode', 'Drain not completed yet'] },
          }),
        ],
      },
      'Nodegroup default-worker has 2 machines and is to have 1: machine o is being deleted (Drain not completed yet).',
    ],
    [
      'a node is not healthy',
      aMachine({ said: { NodeHealthy: ['False', 'NodeNotHealthy', '* Node.DiskPressure: full'] } }),
      'Nodegroup default-worker has 0 of 1 machines ready: machine w is not ready (Node.DiskPressure: full).',
    ],
    [
      'a node is not ready',
      aMachine({ said: { NodeReady: ['False', 'NodeNotReady', '* Node.Ready: cni plugin not initialized'] } }),
      'Nodegroup default-worker has 0 of 1 machines ready: machine w is not ready (Node.Ready: cni plugin not initialized).',
    ],
    [
      'a kubelet has another version',
      aMachine({ status: { nodeInfo: { kubeletVersion: 'v1.32.1' } } }),
      'Nodegroup default-worker has 0 of 1 machines ready: machine w runs kubelet v1.32.1 and is to run v1.33.4.',
    ],
    [
      'a machine is not up to date',
      aMachine({ said: { UpToDate: ['False', 'NotUpToDate', '* Flavor m1, m2 required'] } }),
      'Nodegroup default-worker has 0 of 1 machines ready: machine w is not up to date (Flavor m1, m2 required).',
    ],
    [
      'a machine deployment is missing',
      { machineDeployments: [] },
      'Nodegroup default-worker has no MachineDeployment yet.',
    ],
    [
      'a machine deployment has the old version',
      anMd({ version: 'v1.32.1' }),
      'Nodegroup default-worker has version v1.32.1 and is to have v1.33.4.',
    ],
    [
      'a machine deployment has a change that was not seen',
      anMd({ metadata: { generation: 3 } }),
      'Nodegroup default-worker has a change that Cluster API has not looked at yet.',
    ],
    [
      'a machine deployment has the old size',
      anMd({ replicas: 2 }),
      'Nodegroup default-worker is to have 1 machine, and Cluster API does not know it yet.',
    ],
    [
      'a machine is not available',
      anMd({ status: { availableReplicas: 0 } }),
      'Nodegroup default-worker is to have 1 machine: 1 exist, 1 up to date, 1 ready, 0 available.',
    ],
    [
      'the newest machine set is empty',
      anMd({ status: { deprecated: { v1beta1: { updatedReplicas: 0 } } } }),
      'Nodegroup default-worker is to have 1 machine: 1 exist, 0 up to date, 1 ready, 1 available.',
    ],
    [
      'a machine is remediated',
      anMd({ said: { Remediating: ['True', 'Remediating', 'x'] } }),
      'Nodegroup default-worker: x.',
    ],
    ['a machine is not there', { machines: [master] }, 'Nodegroup default-worker has 0 of 1 machines ready.'],
    ['the add-ons were not looked at', { addons: undefined }, 'The add-ons of the cluster are not checked yet.'],
    [
      'there is no binding of the add-ons',
      { addons: { ...addons([]), binding: null } },
      'The add-ons of the cluster are not applied: a, b missing.',
    ],
    [
      'an add-on is missing',
      {
        addons: addons([
          { kind: 'Secret', name: 'a', applied: true },
          { kind: 'Secret', name: 'b', applied: false },
        ]),
      },
      'The add-ons of the cluster are not applied: b missing.',
    ],
  ])('%s', (_what, changes, reason) => {
    const { report, completed } = derived(changes);
    expect(report).toMatchObject({ action: 'CREATE', state: 'IN_PROGRESS' });
    expect(report.status_reason).toBe(reason);
    expect(completed.map((completion) => completion.nodegroup)).not.toContain(null);
  });

  test('a Cluster has no conditions at all', () => {
    const bare = { ...cluster({ records: creating }), status: undefined };
    expect(reportOf({ cluster: bare })).toMatchObject({ state: 'IN_PROGRESS', action: 'CREATE' });
  });
});

describe('it is complete although', () => {
  test.each<[string, Partial<Observed>]>([
    ['the kubelet names its build', aMachine({ status: { nodeInfo: { kubeletVersion: 'v1.33.4+vendor.1' } } })],
    ['Cluster API no longer counts in the old way', anMd({ status: { deprecated: undefined } })],
    [
      'the autoscaler decides',
      {
        ...withCluster({ nodegroups: [{ name: 'default-worker' }] }),
        ...anMd({ replicas: 2 }),
        machines: [master, worker, machine('w2')],
      },
    ],
    [
      'a nodegroup has no machines',
      {
        ...withCluster({ nodegroups: [{ name: 'default-worker', replicas: 0 }] }),
        ...anMd({ replicas: 0 }),
        machines: [master],
      },
    ],
    [
      'there are no nodegroups of workers',
      { ...withCluster({ nodegroups: [] }), machineDeployments: [], machines: [master] },
    ],
    [
      'there are add-ons, and all are applied',
      {
        addons: addons([
          { kind: 'Secret', name: 'a', applied: true },
          { kind: 'Secret', name: 'b', applied: true },
        ]),
      },
    ],
  ])('%s', (_what, changes) => {
    expect(derived(changes)).toMatchObject({
      report: { state: 'COMPLETE', status_reason: null },
      completed: [{ nodegroup: null }],
    });
  });
});

describe('the action', () => {
  const older = { started: ago(40) };
  test.each<[string, ClusterFields['records'], string, string]>([
    ['a create', creating, 'CREATE', 'CREATE'],
    ['an upgrade', upgrading, 'UPDATE', 'UPDATE'],
    [
      'a nodegroup that is created',
      {
        '': record('cluster.create', { ...older, completed: ago(35) }),
        'default-worker': record('nodegroup.create'),
      },
      'UPDATE',
      'CREATE',
    ],
    [
      'a resize',
      { '': record('cluster.create', { ...older, completed: ago(35) }), 'default-worker': record('cluster.resize') },
      'UPDATE',
      'UPDATE',
    ],
    [
      'an upgrade after the nodegroup was created',
      { ...upgrading, 'default-worker': record('nodegroup.create', older) },
      'UPDATE',
      'UPDATE',
    ],
  ])('of %s', (_what, records, ofCluster, ofNodegroup) => {
    const changes = { cluster: cluster({ records: records ?? {} }) };
    expect(reportOf(changes).action).toBe(ofCluster);
    expect(nodegroup('default-worker', changes).action).toBe(ofNodegroup);
  });

  test('of a nodegroup is not known where the last operation was about the credential', () => {
    const changes = { cluster: cluster({ records: { '': record('cluster.credential.rotate') } }) };
    expect(reportOf(changes)).toMatchObject({ action: 'UPDATE', state: 'COMPLETE' });
    expect(nodegroup('default-worker', changes)).toMatchObject({ action: null, state: 'COMPLETE' });
  });
});

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

describe('a cluster without records, of the original driver', () => {
  const adopted = { cluster: cluster(), addons: undefined };
  test.each<[string | null, Partial<Observed>, object]>([
    ['CREATE_IN_PROGRESS', {}, { action: 'CREATE', state: 'COMPLETE' }],
    ['CREATE_IN_PROGRESS', { machines: [master] }, { action: 'CREATE', state: 'IN_PROGRESS' }],
    ['UPDATE_IN_PROGRESS', {}, { action: 'UPDATE', state: 'COMPLETE' }],
    ['UPDATE_COMPLETE', { machines: [] }, { action: 'UPDATE', state: 'COMPLETE', status_reason: null }],
    ['UPDATE_FAILED', { machines: [] }, { action: 'UPDATE', state: 'FAILED' }],
    ['UPDATE_FAILED', {}, { action: 'UPDATE', state: 'COMPLETE', status_reason: null }],
    [null, {}, { action: null, state: 'COMPLETE' }],
    [null, { machines: [] }, { action: null, state: 'IN_PROGRESS' }],
  ])('whose row says %s', (status, changes, progress) => {
    expect(reportOf({ ...adopted, ...changes }, magnum(status))).toMatchObject(progress);
  });

  test('whose nodegroup is being deleted is complete only when that is gone', () => {
    const view = magnum('UPDATE_IN_PROGRESS', [row('gone', 'DELETE_IN_PROGRESS')]);
    const left = machine('g', { nodegroup: 'gone' });
    expect(reportOf({ ...adopted, machines: [master, worker, left] }, view)).toMatchObject({
      action: 'UPDATE',
      state: 'IN_PROGRESS',
    });
    expect(reportOf(adopted, view)).toMatchObject({ action: 'UPDATE', state: 'COMPLETE' });
  });

  test('gets its action from nodegroups that this driver works on', () => {
    const changes = {
      cluster: cluster({ records: { 'default-worker': record('cluster.resize') } }),
      machines: [master],
    };
    expect(reportOf(changes)).toMatchObject({ action: 'UPDATE', state: 'IN_PROGRESS' });
  });
});

describe('what Magnum shows beside the status', () => {
  test.each<[unknown, string | null]>([
    [{ host: '203.0.113.7', port: 6443 }, 'https://203.0.113.7:6443'],
    [{ host: '2001:db8::7', port: 6443 }, 'https://[2001:db8::7]:6443'],
    [{ host: 'api.example.org', port: 443 }, 'https://api.example.org:443'],
    [{ host: '', port: 0 }, null],
    [undefined, null],
  ])('of an endpoint %j the API address is %s', (controlPlaneEndpoint, address) => {
    expect(reportOf(withCluster({ spec: { controlPlaneEndpoint } })).api_address).toBe(address);
  });

  test.each<[string, readonly string[], string]>([
    ['the version that is to come before there is a machine', [], 'v1.34.1'],
    ['the lowest during an upgrade', ['v1.34.1', 'v1.33.4', 'v1.34.1'], 'v1.33.4'],
    ['the lowest by its numbers', ['v1.10.0', 'v1.9.0'], 'v1.9.0'],
    ['the new one once all machines have it', ['v1.34.1', 'v1.34.1'], 'v1.34.1'],
  ])('the version is %s', (_what, versions, version) => {
    const machines = versions.map((one, index) => machine(`m${index}`, { nodegroup: null, version: one }));
    expect(reportOf({ ...withCluster({ topology: { version: 'v1.34.1' } }), machines }).coe_version).toBe(version);
  });

  test('the addresses are one a machine, internal before external, in order', () => {
    const addresses = (...entries: [string, string][]) => entries.map(([type, address]) => ({ type, address }));
    const machines = [
      machine('a', {
        addresses: addresses(
          ['Hostname', 'a'],
          ['ExternalIP', '203.0.113.9'],
          ['InternalIP', '10.0.0.9'],
          ['InternalIP', '10.1.0.9'],
        ),
      }),
      machine('b', { addresses: addresses(['ExternalIP', '203.0.113.8']) }),
      machine('c', { addresses: addresses(['InternalIP', '10.0.0.3']) }),
      machine('d', { addresses: [] }),
    ];
    expect(nodegroup('default-worker', { machines }).node_addresses).toEqual(['10.0.0.3', '10.0.0.9', '203.0.113.8']);
  });

  test.each<[string, Partial<Observed>, number | null]>([
    ['wanted, not as there are', { ...withCluster({ nodegroups: [{ name: 'default-worker', replicas: 3 }] }) }, 3],
    ["the autoscaler's", { ...withCluster({ nodegroups: [{ name: 'default-worker' }] }), ...anMd({ replicas: 4 }) }, 4],
    [
      'not known before the autoscaler had a say',
      { ...withCluster({ nodegroups: [{ name: 'default-worker' }] }), machineDeployments: [] },
      null,
    ],
  ])('the nodes are %s', (_what, changes, count) => {
    expect(nodegroup('default-worker', changes).node_count).toBe(count);
  });
});
