import { describe, expect, test } from 'vitest';
import { deriveStatus } from './derive-status.ts';
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
  worker,
} from './testing/objects.ts';

const late = machine('w', { said: provisioning });
const quota = 'Quota exceeded for cores: Requested 4, but already used 20 of 20 cores';
const failed = (message: string) => [severe('InstanceReady', 'InstanceCreateFailed', message)];
const inError = openStackServer('w', {
  instanceID: 'i-1',
  instanceState: 'ERROR',
  conditions: [severe('Ready', 'InstanceStateError', ''), severe('InstanceReady', 'InstanceStateError', '')],
});

function reasons(changes: Partial<Observed>) {
  const report = deriveStatus(observed({ machines: [master, late], ...changes }), { now, magnum: null })?.report;
  const ofNodegroup = (name: string) => report?.nodegroups.find((one) => one.name === name)?.status_reason ?? null;
  return {
    cluster: report?.status_reason ?? null,
    worker: ofNodegroup('default-worker'),
    master: ofNodegroup('default-master'),
  };
}

describe('the cause stands first, on the cluster and on the nodegroup, and on no other', () => {
  const of = (message: string) => `Machine w of nodegroup default-worker: ${message}.`;
  test.each<[string, Partial<Observed>, string]>([
    ['a quota', { openStackServers: [openStackServer('w', { conditions: failed(quota) })] }, of(quota)],
    [
      "Nova's fault",
      { openStackServers: [inError], serverFaults: { w: 'No valid host was found. ' } },
      'Machine w of nodegroup default-worker: No valid host was found.',
    ],
    [
      'a server in ERROR of which no more is known',
      { openStackServers: [inError] },
      of('its server is in state ERROR'),
    ],
    [
      'an image',
      {
        openStackServers: [
          openStackServer('w', { conditions: failed('no images were found with the given image filter') }),
        ],
      },
      of('no images were found with the given image filter'),
    ],
    [
      'a condition without a text',
      { openStackServers: [openStackServer('w', { conditions: failed('') })] },
      of('instance create failed'),
    ],
    [
      'an OpenStackMachine that gave up',
      {
        openStackMachines: [
          { metadata: { name: 'w' }, status: { failureMessage: 'The server was unexpectedly deleted' } },
        ],
      },
      of('The server was unexpectedly deleted'),
    ],
    [
      'a Machine',
      {
        machines: [
          master,
          machine('w', {
            said: { ...provisioning, BootstrapConfigReady: ['False', 'InternalError', 'cannot render'] },
          }),
        ],
      },
      of('cannot render'),
    ],
    [
      'a health check',
      {
        machines: [
          master,
          machine('w', {
            said: {
              ...provisioning,
              HealthCheckSucceeded: ['False', 'NodeStartupTimeout', 'Node failed to report startup in 10m'],
            },
          }),
        ],
      },
      of('Node failed to report startup in 10m'),
    ],
    [
      'a missing template',
      {
        machineDeployments: [
          machineDeployment('default-worker', {
            said: {
              ScalingUp: [
                'True',
                'ScalingUp',
                'Scaling up from 0 to 1 replicas is blocked because OpenStackMachineTemplate does not exist',
              ],
            },
          }),
        ],
      },
      'Nodegroup default-worker: Scaling up from 0 to 1 replicas is blocked because OpenStackMachineTemplate does not exist.',
    ],
  ])('%s', (_what, changes, reason) => {
    const found = reasons(changes);
    expect(found.cluster?.startsWith(reason)).toBe(true);
    expect(found.worker?.startsWith(reason)).toBe(true);
    expect(found.master).toBeNull();
  });

  test.each<[string, Partial<Observed>, string]>([
    [
      'the OpenStackCluster',
      {
        openStackCluster: {
          status: {
            conditions: [severe('NetworkReady', 'OpenStackError', 'Failed to find network')],
            failureMessage: 'no router',
          },
        },
      },
      'The infrastructure of the cluster: Failed to find network. The infrastructure of the cluster: no router.',
    ],
    [
      'the Cluster',
      {
        cluster: cluster({
          records: { '': record('cluster.create') },
          said: { InfrastructureReady: ['False', 'OpenStackError', 'no external network'] },
        }),
      },
      'The infrastructure of the cluster: no external network.',
    ],
    [
      'the topology',
      {
        cluster: cluster({
          records: { '': record('cluster.create') },
          said: { TopologyReconciled: ['False', 'ReconcileFailed', 'error computing the desired state'] },
        }),
      },
      'The topology: error computing the desired state.',
    ],
    [
      'the control plane',
      { controlPlane: controlPlane({ said: { CertificatesAvailable: ['False', 'InternalError', 'no CA'] } }) },
      'The control plane: no CA.',
    ],
  ])('%s', (_what, changes, reason) => {
    expect(reasons(changes).cluster?.startsWith(reason)).toBe(true);
  });
});

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

describe('of a server that CAPO has given up', () => {
  const advice = 'A server that failed is not tried again: when the cause is gone, its machine has to be replaced.';

  test.each<[string, object]>([
    ['because Nova refused it', { instanceState: 'ERROR', conditions: failed(quota) }],
    ['because Nova could not build it', inError.status ?? {}],
  ])('the reason says so once, behind the causes, %s', (_what, status) => {
    const names = ['w', 'x'];
    const found = reasons({
      machines: [master, ...names.map((name) => machine(name, { said: provisioning }))],
      openStackServers: names.map((name) => openStackServer(name, { ...status })),
    });
    for (const reason of [found.cluster, found.worker]) {
      expect(reason).toMatch(new RegExp(`^Machine w [^.]*\\. ${advice} Nodegroup`));
      expect(reason?.split(advice)).toHaveLength(2);
    }
  });

  test.each<[string, Partial<Observed>]>([
    ['that may still come', { openStackServers: [openStackServer('w', { conditions: failed(quota) })] }],
    [
      'whose machine goes',
      {
        machines: [master, machine('w', { said: provisioning, metadata: { deletionTimestamp: ago(1) } })],
        openStackServers: [openStackServer('w', { instanceState: 'ERROR', conditions: failed(quota) })],
      },
    ],
  ])('it does not say so of one %s', (_what, changes) => {
    expect(reasons(changes).cluster).not.toContain(advice);
  });
});

test('every nodegroup that is not complete tells what is wrong with the infrastructure', () => {
  const status = { conditions: [severe('NetworkReady', 'OpenStackError', 'Failed to find network')] };
  const found = reasons({ openStackCluster: { status } });
  expect(found.worker?.startsWith('The infrastructure of the cluster: Failed to find network. ')).toBe(true);
  expect(found.master).toBeNull();
});

describe('the reason', () => {
  test('has one sentence for many machines with one cause', () => {
    const names = ['a', 'b', 'c'];
    const found = reasons({
      machines: [master, ...names.map((name) => machine(name, { said: provisioning }))],
      openStackServers: names.map((name) => openStackServer(name, { conditions: failed(quota) })),
    });
    expect(found.cluster?.startsWith(`Machine a of nodegroup default-worker and 2 more: ${quota}. `)).toBe(true);
    expect(found.cluster?.split(quota)).toHaveLength(2);
  });

  test('has one sentence for one cause in two conditions of CAPO', () => {
    const conditions = [
      severe('Ready', 'x', 'failed to find router'),
      severe('RouterReady', 'x', 'Failed to find router'),
    ];
    expect(
      reasons({ openStackCluster: { status: { conditions } } }).cluster?.match(/failed to find router/gi),
    ).toHaveLength(1);
  });

  test('has one sentence for a cause that another condition wraps', () => {
    const cause = 'failed to reconcile load balancer: load balancer "x" is not active after timeout';
    const conditions = [
      severe('Ready', 'OpenStackError', cause, 'Warning'),
      severe('APIEndpointReady', 'x', `Failed to reconcile control plane endpoint: ${cause}`),
    ];
    const found = reasons({ openStackCluster: { status: { conditions } } });
    expect(found.cluster?.startsWith(`The infrastructure of the cluster: ${cause}. `)).toBe(true);
    expect(found.cluster?.split(cause)).toHaveLength(2);
  });

  test('does not repeat as waited for what it has told as a failure', () => {
    const said = { InfrastructureReady: ['False', 'OpenStackError', 'no external network'] } as const;
    const { cluster: reason } = reasons({ cluster: cluster({ records: { '': record('cluster.create') }, said }) });
    expect(reason?.split('no external network')).toHaveLength(2);
  });

  test('leaves the control plane out of it where that was not worth reading', () => {
    const said = { ControlPlaneAvailable: ['False', 'NotAvailable', 'no etcd'] } as const;
    const object = cluster({ records: { '': record('cluster.create') }, said });
    const found = reasons({ cluster: object, controlPlane: undefined, machines: [master, worker] });
    expect(found.cluster).toBe('The control plane is not available: no etcd.');
  });

  test.each<[string, Said, string]>([
    ['Cluster API only knows that it is not ready', {}, 'waiting for its server'],
    [
      'CAPO still says that it waits for what is there',
      { InfrastructureReady: ['False', 'WaitingForBootstrapData'] },
      'waiting for its server',
    ],
    [
      'there is no bootstrap data',
      { BootstrapConfigReady: ['False', 'NotReady', 'KubeadmConfig status.initialization.dataSecretCreated is false'] },
      'waiting for its bootstrap data',
    ],
    [
      'there is no bootstrap data, and some of it is not looked at',
      {
        BootstrapConfigReady: [
          'False',
          'NotReady',
          '* DataSecretAvailable: Waiting for Cluster control plane to be initialized\n* CertificatesAvailable: Condition not yet reported',
        ],
      },
      'waiting for Cluster control plane to be initialized',
    ],
    [
      'the node has not come',
      {
        InfrastructureReady: 'True',
        NodeReady: ['Unknown', 'InspectionFailed', 'Waiting for a Node with spec.providerID x to exist'],
      },
      'waiting for a Node with spec.providerID x to exist',
    ],
  ])('says what a machine waits for where %s', (_what, said, waitedFor) => {
    const machines = [master, machine('w', { said: { ...provisioning, ...said } })];
    const reason = `Nodegroup default-worker has 0 of 1 machines ready: machine w is ${waitedFor}.`;
    expect(reasons({ machines }).cluster).toBe(reason);
  });

  test('tells the newest failure first', () => {
    const at = (condition: object, minutes: number) => ({ ...condition, lastTransitionTime: ago(minutes) });
    const servers = [
      openStackServer('a', { conditions: [at(severe('InstanceReady', 'InstanceCreateFailed', 'older'), 9)] }),
      openStackServer('b', { conditions: [at(severe('InstanceReady', 'InstanceCreateFailed', 'newer'), 2)] }),
    ];
    expect(reasons({ openStackServers: servers }).cluster).toMatch(/^Server b: newer\. Server a: older\. /);
  });

  test('does not take for a failure what only waits', () => {
    const waiting = [severe('InstanceReady', 'WaitingForBootstrapData', 'not yet', 'Info')];
    expect(reasons({ openStackServers: [openStackServer('w', { conditions: waiting })] }).cluster).not.toContain(
      'not yet',
    );
  });

  test('ends with warnings by time, which Kubernetes lists in no order', () => {
    const event = (message: string, fields: object) => ({
      type: 'Warning',
      message,
      involvedObject: { kind: 'Machine', name: 'w' },
      metadata: {},
      ...fields,
    });
    const events = [
      event('second', { lastTimestamp: ago(3) }),
      event('first', { series: { lastObservedTime: ago(1) }, lastTimestamp: null }),
      event('third', { eventTime: ago(5) }),
      event('calm', { type: 'Normal', lastTimestamp: ago(0) }),
      event('second', { lastTimestamp: ago(4) }),
    ];
    const found = reasons({ events });
    expect(found.cluster).toMatch(/its server\. Machine w: first\. Machine w: second\. Machine w: third\.$/);
    expect(found.worker).toBe(found.cluster);
  });

  test('has whole sentences within 1,000 characters, each cut at 400', () => {
    const names = ['a', 'b', 'c', 'd'];
    const conditions = (name: string) => failed(name.repeat(5000));
    const { cluster: reason } = reasons({
      openStackServers: names.map((name) => openStackServer(name, { conditions: conditions(name) })),
    });
    expect(reason?.length).toBeLessThanOrEqual(1000);
    expect(reason).toMatch(/^Server a: a+… Server b: b+…/);
  });

  test('is one line without control characters', () => {
    const conditions = failed('bad\u0000 \u001b[31mred\u001b[0m\r\n  * deep:\n    * deeper\u2028end\t.');
    expect(reasons({ openStackServers: [openStackServer('x', { conditions })] }).cluster).toMatch(
      /^Server x: bad \[31mred \[0m; deep: deeper end \. /,
    );
  });

  test('says nothing of errors that only a log tells', () => {
    const said = {
      InfrastructureReady: ['False', 'InternalError', 'Please check controller logs for errors'],
    } as const;
    expect(reasons({ cluster: cluster({ records: { '': record('cluster.create') }, said }) }).cluster).toMatch(
      /^The infrastructure of the cluster is not ready: internal error\./,
    );
  });

  test('is none where all is complete, whatever a server says', () => {
    expect(reasons({ machines: [master, worker], openStackServers: [inError] })).toEqual({
      cluster: null,
      worker: null,
      master: null,
    });
  });
});
