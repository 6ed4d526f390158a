import { describe, expect, test } from 'vitest';
import type { Observed } from './observed.ts';
import {
  addons,
  aKcp,
  aMachine,
  aMaster,
  anMd,
  creating,
  derived,
  failedAddons,
  reportOf,
  said,
  withCluster,
} from './testing/derived.ts';
import { ago, cluster, machine, master, worker } from './testing/objects.ts';

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
    [
      'an add-on is missing, and a machine',
      { addons: addons([]), machines: [master] },
      'The add-ons of the cluster are not applied: a, b missing. Nodegroup default-worker has 0 of 1 machines ready.',
    ],
    [
      'an add-on cannot be applied',
      { addons: failedAddons('failed to create object /v1, Kind=Secret x') },
      'The add-ons of the cluster are not applied: calico missing: failed to create object /v1, Kind=Secret x.',
    ],
    [
      'an add-on cannot be applied, and nobody says why',
      { addons: failedAddons('') },
      'The add-ons of the cluster are not applied: calico missing: Failed to apply ClusterResourceSet resources to Cluster.',
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
