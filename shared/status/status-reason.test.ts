import { describe, expect, test } from 'vitest';
import {
  ago,
  cluster,
  machine,
  master,
  openStackServer,
  provisioning,
  record,
  type Said,
  severe,
  worker,
} from './testing/objects.ts';
import { failed, inError, quota, reasons } from './testing/reasons.ts';

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
