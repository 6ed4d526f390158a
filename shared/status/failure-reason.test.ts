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
  severe,
} from './testing/objects.ts';
import { failed, inError, quota, reasons } from './testing/reasons.ts';

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
