import { describe, expect, test } from 'vitest';
import type { Observed } from './observed.ts';
import {
  ago,
  cluster,
  controlPlane,
  machine,
  machineDeployment,
  master,
  openStackServer,
  provisioning,
  record,
  type Said,
  worker,
} from './testing/objects.ts';
import { late, reasons } from './testing/reasons.ts';

describe('of ordinary progress the reason tells the first thing that is waited for, once', () => {
  const uninitialized = {
    ControlPlaneInitialized: ['False', 'NotInitialized', 'Control plane not yet initialized'],
    ControlPlaneAvailable: ['False', 'NotAvailable', 'Control plane not yet initialized'],
  } as const;
  const withoutInfrastructure = { ...uninitialized, InfrastructureReady: ['False', 'NotReady'] } as const;
  const creating = (said: Said) => cluster({ records: { '': record('cluster.create') }, said });
  const none = {
    machines: [],
    machineDeployments: [
      machineDeployment('default-worker', {
        said: { ScalingUp: ['True', 'ScalingUp', 'Scaling up from 0 to 1 replicas'] },
        status: { replicas: 0, readyReplicas: 0, availableReplicas: 0, upToDateReplicas: 0 },
      }),
    ],
  };
  const upgrading = cluster({
    records: { '': record('cluster.upgrade') },
    said: { TopologyReconciled: ['False', 'ClusterUpgrading', 'Cluster is upgrading to v1.34.1'] },
    topology: { version: 'v1.34.1' },
  });
  const old = (name: string, said: Said = {}) => machine(name, { said });
  const newer = (name: string, said: Said = {}) => machine(name, { version: 'v1.34.1', said });

  test.each<[string, Partial<Observed>, string]>([
    [
      'the infrastructure',
      { ...none, cluster: creating(withoutInfrastructure) },
      'The infrastructure of the cluster is not ready.',
    ],
    [
      'the control plane without a machine',
      { ...none, cluster: creating(uninitialized) },
      'The control plane is not initialized.',
    ],
    [
      'the first machine of the control plane, for which the workers wait too',
      {
        ...none,
        cluster: creating(uninitialized),
        machines: [machine('m', { nodegroup: null, said: provisioning }), machine('w', { said: provisioning })],
      },
      'The control plane is not initialized: machine m is waiting for its server.',
    ],
    [
      'a machine that is not there',
      { ...none, machines: [master] },
      'Nodegroup default-worker has 0 of 1 machines ready.',
    ],
    [
      'a server that Nova builds',
      { ...none, machines: [master, late], openStackServers: [openStackServer('w', { instanceState: 'BUILD' })] },
      'Nodegroup default-worker has 0 of 1 machines ready: machine w is waiting for its server, which is in state BUILD.',
    ],
    [
      'a server that Nova has built',
      { ...none, machines: [master, late], openStackServers: [openStackServer('w', { instanceState: 'ACTIVE' })] },
      'Nodegroup default-worker has 0 of 1 machines ready: machine w is waiting for its server.',
    ],
    [
      'the node of the first machine of the control plane',
      {
        ...none,
        cluster: creating(uninitialized),
        machines: [
          machine('m', {
            nodegroup: null,
            said: { NodeReady: ['Unknown', 'InspectionFailed', 'Waiting for Cluster control plane to be initialized'] },
          }),
        ],
      },
      'The control plane is not initialized: machine m is waiting for its node.',
    ],
    [
      'many machines',
      {
        ...none,
        cluster: cluster({
          records: { '': record('cluster.create') },
          nodegroups: [{ name: 'default-worker', replicas: 5 }],
        }),
        machineDeployments: [machineDeployment('default-worker', { replicas: 5 })],
        machines: [master, worker, ...['a', 'b', 'c', 'd'].map((name) => machine(name, { said: provisioning }))],
      },
      'Nodegroup default-worker has 1 of 5 machines ready: machine a is waiting for its server; machine b is waiting for its server; and 2 more.',
    ],
    [
      'an upgrade, by the new machine and not by the topology or the old machine',
      {
        cluster: upgrading,
        controlPlane: controlPlane({ version: 'v1.34.1' }),
        machineDeployments: [machineDeployment()],
        machines: [
          machine('m', { nodegroup: null }),
          machine('n', { nodegroup: null, version: 'v1.34.1', said: provisioning }),
          old('w'),
        ],
      },
      'The control plane has 0 of 1 machines ready with v1.34.1: machine n is waiting for its server; machine m has version v1.33.4 and is to have v1.34.1. ' +
        'Nodegroup default-worker has version v1.33.4 and is to have v1.34.1.',
    ],
    [
      'the old machine of an upgrade that has nothing else left to do',
      {
        cluster: upgrading,
        controlPlane: controlPlane({ version: 'v1.34.1' }),
        machineDeployments: [machineDeployment('default-worker', { version: 'v1.34.1' })],
        machines: [
          machine('m', { nodegroup: null, version: 'v1.34.1' }),
          newer('n'),
          machine('w', {
            metadata: { deletionTimestamp: ago(1) },
            said: { Deleting: ['True', 'DrainingNode', 'Waiting for the drain'] },
          }),
        ],
      },
      'Nodegroup default-worker has 2 machines and is to have 1: machine w is being deleted, waiting for the drain.',
    ],
  ])('%s', (_what, changes, reason) => {
    expect(reasons({ machines: [master, late], ...changes }).cluster).toBe(reason);
  });
});
