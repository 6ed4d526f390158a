import { describe, expect, test } from 'vitest';
import { furtherNeeds } from './further-needs.ts';
import type { Observed } from './observed.ts';
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
  provisioning,
  record,
  type Said,
  severe,
  stackId,
  worker,
} from './testing/objects.ts';

/** What the first three calls find, of a cluster without add-ons. */
const first: Partial<Observed> = { controlPlane: undefined, addons: null };
const young = { creationTimestamp: ago(1) };

function needs(changes: Partial<Observed>) {
  return furtherNeeds(observed({ ...first, ...changes }), now);
}

const creating = (said: Said = {}) => cluster({ records: { '': record('cluster.create') }, said });
const notReconciled: Said = { TopologyReconciled: ['False', 'ClusterUpgrading', 'Cluster is upgrading'] };
const infrastructure: Said = { InfrastructureReady: ['False', 'NotReady'] };
const controlPlaneNeed = { kind: 'controlPlane', name: `${stackId}-cp` };

describe('the control plane is read where nothing is open', () => {
  const over = { completed: ago(1) };
  test.each([
    ['and the last operation was about something else', { '': record('cluster.credential.rotate', over) }],
    ['and only another nodegroup has a record', { 'default-worker': record('cluster.resize', over) }],
  ])('%s', (_title, records) => {
    expect(needs({ cluster: cluster({ records }) })).toEqual([controlPlaneNeed]);
  });
});

describe('nothing more is read', () => {
  test.each<[string, Partial<Observed>]>([
    [
      'when no operation is open',
      { cluster: cluster({ records: { '': record('cluster.create', { completed: ago(1) }) } }) },
    ],
    [
      'when none is open and a machine is broken',
      {
        cluster: cluster({ records: { '': record('cluster.create', { completed: ago(1) }) } }),
        machines: [machine('w', { said: provisioning })],
      },
    ],
    [
      'during an upgrade that goes its way',
      { cluster: cluster({ records: { '': record('cluster.upgrade') }, said: notReconciled }) },
    ],
    ['while the control plane comes up', { cluster: creating({ ControlPlaneAvailable: ['False', 'NotAvailable'] }) }],
    [
      'while a machine waits for its bootstrap data',
      {
        cluster: creating(notReconciled),
        machines: [
          master,
          machine('w', { metadata: young, said: { ...provisioning, BootstrapConfigReady: ['False', 'NotReady'] } }),
        ],
      },
    ],
    [
      'when an operation of workers is open and the control plane is done',
      {
        cluster: cluster({
          records: {
            '': record('cluster.create', { started: ago(50), completed: ago(1) }),
            'default-worker': record('cluster.resize'),
          },
        }),
      },
    ],
    ['when everything was read', { cluster: creating(), controlPlane: controlPlane(), addons: null }],
    [
      'when Cluster API has made no control plane yet',
      { cluster: cluster({ records: { '': record('cluster.create') }, spec: { controlPlaneRef: undefined } }) },
    ],
    ['when nothing is left of the cluster', { cluster: null, cloudConfig: null }],
  ])('%s', (_what, changes) => {
    expect(needs(changes)).toEqual([]);
  });
});

describe('what decides is read only when nothing else does', () => {
  test.each<[string, Partial<Observed>, object]>([
    ['the control plane, for an open create', { cluster: creating() }, controlPlaneNeed],
    ['the control plane, while workers are late', { cluster: creating(), machines: [master] }, controlPlaneNeed],
    ['the control plane, of a cluster without records', { cluster: cluster() }, controlPlaneNeed],
    [
      'the add-ons, for an upgrade',
      {
        cluster: cluster({ records: { '': record('cluster.upgrade') } }),
        controlPlane: controlPlane(),
        addons: undefined,
      },
      { kind: 'addons' },
    ],
    [
      'all but the add-ons, for an upgrade that goes its way',
      { cluster: cluster({ records: { '': record('cluster.upgrade') } }), machines: [master], addons: undefined },
      controlPlaneNeed,
    ],
    [
      'the add-ons, for a rotation',
      {
        cluster: cluster({ records: { '': record('cluster.credential.rotate') } }),
        controlPlane: controlPlane(),
        addons: undefined,
        rotation: { kind: 'moved', credentialId: 'c0ffee', replaced: 0 },
      },
      { kind: 'addons' },
    ],
    [
      'a rotation, while machines are late',
      {
        cluster: cluster({ records: { '': record('cluster.credential.rotate') } }),
        controlPlane: controlPlane(),
        addons: undefined,
        machines: [master],
      },
      { kind: 'rotation', isOverdue: false, isInitialized: true },
    ],
    [
      'a rotation, of a cluster that is not up yet',
      {
        cluster: cluster({
          records: { '': record('cluster.credential.rotate') },
          said: { ControlPlaneInitialized: ['False', 'NotInitialized'] },
        }),
        controlPlane: controlPlane(),
        addons: undefined,
        machines: [master],
      },
      { kind: 'rotation', isOverdue: false, isInitialized: false },
    ],
    ['the Secret, without a Cluster', { cluster: null }, { kind: 'cloudConfig' }],
    [
      'the Secret, of a Cluster that goes',
      { cluster: cluster({ metadata: { deletionTimestamp: ago(1) } }) },
      { kind: 'cloudConfig' },
    ],
  ])('%s', (_what, changes, need) => {
    expect(needs(changes)).toEqual([need]);
  });

  test('the add-ons of a cluster without records are none of ours', () => {
    expect(needs({ cluster: cluster(), controlPlane: controlPlane(), addons: undefined })).toEqual([]);
  });

  const notInitialized: Said = { ControlPlaneInitialized: ['False', 'NotInitialized'] };
  const whileCreated = (said: Said, machines = [master]) =>
    needs({ cluster: creating(said), machines, addons: undefined });

  test('the add-ons of a cluster that is created as soon as it has an API and every machine its server', () => {
    expect(whileCreated({})).toEqual([controlPlaneNeed, { kind: 'addons' }]);
    expect(whileCreated(notReconciled)).toEqual([{ kind: 'addons' }]);
    expect(whileCreated(notInitialized)).toEqual([]);
    const coming = machine('w', { metadata: young, said: provisioning });
    expect(whileCreated(notReconciled, [master, coming])).toEqual([{ kind: 'openStackServers' }]);
  });
});

describe('what explains is read only when something is waited for', () => {
  const deleting = cluster({ records: { '': record('cluster.delete') }, metadata: { deletionTimestamp: ago(9) } });
  const coming = [master, machine('w', { metadata: young, said: provisioning })];
  const late = [master, machine('w', { said: provisioning })];
  const error = openStackServer('w', {
    instanceID: 'i-1',
    instanceState: 'ERROR',
    conditions: [severe('InstanceReady', 'InstanceStateError', '')],
  });
  const stuck = machine('w', {
    metadata: { deletionTimestamp: ago(9) },
    said: { Deleting: ['True', 'WaitingForInfrastructureDeletion'] },
  });
  const rolling = { cluster: creating(notReconciled) };

  test.each<[string, Partial<Observed>, readonly object[]]>([
    [
      'the infrastructure that is not ready',
      { cluster: creating({ ...notReconciled, ...infrastructure }), machines: [] },
      [{ kind: 'openStackCluster', name: `${stackId}-infra` }],
    ],
    [
      'the infrastructure that is the last to go',
      { cluster: deleting, machines: [], machineDeployments: [] },
      [{ kind: 'openStackCluster', name: `${stackId}-infra` }],
    ],
    ['the servers of a machine that has none', { ...rolling, machines: coming }, [{ kind: 'openStackServers' }]],
    [
      'the servers of a machine that does not go',
      { cluster: deleting, machines: [stuck] },
      [{ kind: 'openStackServers' }],
    ],
    [
      'the fault of a server in ERROR',
      { ...rolling, machines: coming, openStackServers: [error] },
      [{ kind: 'serverFaults', servers: [{ name: 'w', id: 'i-1' }] }],
    ],
    [
      'all that may explain a machine that is late',
      { ...rolling, machines: late, openStackServers: [] },
      [{ kind: 'openStackMachines' }, { kind: 'events', name: 'w' }],
    ],
    [
      'all that may explain a cluster that does not begin',
      { ...rolling, machines: [] },
      [controlPlaneNeed, { kind: 'events', name: stackId }],
    ],
  ])('%s', (_what, changes, expected) => {
    expect(needs(changes)).toEqual(expected);
  });

  test.each<[string, Partial<Observed>]>([
    ['a machine that is young', { machines: coming, openStackServers: [] }],
    [
      'a server whose failure is known',
      {
        machines: late,
        openStackServers: [
          openStackServer('w', { conditions: [severe('InstanceReady', 'InstanceCreateFailed', 'Quota exceeded')] }),
        ],
      },
    ],
    [
      'a server that Nova did not make',
      { machines: coming, openStackServers: [openStackServer('w', { instanceState: 'ERROR', conditions: [] })] },
    ],
    ['a fault that was asked for', { machines: late, openStackServers: [error], serverFaults: {} }],
    ['what did not come up and goes', { cluster: deleting, machines: late }],
    ['the fault of a server that goes', { cluster: deleting, machines: [stuck], openStackServers: [error] }],
    ['what was read before', { machines: late, openStackServers: [], openStackMachines: [], events: [] }],
  ])('not for %s', (_what, changes) => {
    expect(needs({ ...rolling, ...changes })).toEqual([]);
  });

  test('no more than three faults are asked for at once', () => {
    const names = ['a', 'b', 'c', 'd'];
    const openStackServers = names.map((name) =>
      openStackServer(name, { instanceID: `i-${name}`, instanceState: 'ERROR' }),
    );
    expect(needs({ ...rolling, machines: coming, openStackServers })).toMatchObject([
      { servers: [{ id: 'i-a' }, { id: 'i-b' }, { id: 'i-c' }] },
    ]);
  });

  test('a state that has everything needs nothing, whatever is wrong', () => {
    const all = {
      openStackCluster: null,
      openStackServers: [],
      openStackMachines: [],
      events: [],
      serverFaults: {},
      cloudConfig: null,
    };
    const changes = { cluster: creating(infrastructure), controlPlane: null, addons: null, machines: late, ...all };
    expect(needs({ ...changes, machineDeployments: [machineDeployment()] })).toEqual([]);
    expect(needs({ ...changes, cluster: deleting, machines: [worker] })).toEqual([]);
  });
});
