import { describe, expect, test } from 'vitest';
import type { Observed } from './observed.ts';
import {
  anMd,
  created,
  creating,
  derived,
  magnum,
  nodegroup,
  reportOf,
  row,
  upgrading,
  withCluster,
} from './testing/derived.ts';
import { ago, type ClusterFields, cluster, machine, master, record, stackId, uuid, worker } from './testing/objects.ts';

describe('a cluster on which all is well', () => {
  test('is complete, and its record can be closed', () => {
    const { report, completed, isOpen } = derived();
    expect(report).toEqual({
      cluster_uuid: uuid,
      stack_id: stackId,
      operation: 'id-cluster.create',
      action: 'CREATE',
      state: 'COMPLETE',
      status_reason: null,
      api_address: 'https://203.0.113.7:6443',
      coe_version: 'v1.33.4',
      nodegroups: [
        {
          name: 'default-master',
          operation: 'id-cluster.create',
          action: 'CREATE',
          state: 'COMPLETE',
          status_reason: null,
          node_count: 1,
          node_addresses: ['10.0.0.15'],
        },
        {
          name: 'default-worker',
          operation: 'id-cluster.create',
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
    const changes = {
      cluster: cluster({ records: { '': record('cluster.credential.rotate') } }),
      rotation: { kind: 'moved', credentialId: 'c0ffee', replaced: 0 } as const,
    };
    expect(reportOf(changes)).toMatchObject({ action: 'UPDATE', state: 'COMPLETE' });
    expect(nodegroup('default-worker', changes)).toMatchObject({ action: null, state: 'COMPLETE' });
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
