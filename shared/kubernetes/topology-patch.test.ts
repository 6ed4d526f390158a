import { describe, expect, test } from 'vitest';
import type { MachineDeploymentTopology } from '../render/machine-deployment.ts';
import { type LiveCluster, parseLiveCluster } from './live-cluster.ts';
import { openRecord } from './operation-record.ts';
import {
  addMachineDeployment,
  changeMachineDeployment,
  removeMachineDeployment,
  writeRecord,
} from './topology-patch.ts';

const entry: MachineDeploymentTopology = {
  class: 'default-worker',
  name: 'gpu',
  replicas: 1,
  metadata: { labels: {} },
  healthCheck: { enabled: true },
  deletion: { nodeVolumeDetachTimeoutSeconds: 300 },
  variables: { overrides: [] },
};

function liveCluster(workers: unknown, annotations?: Record<string, string>): LiveCluster {
  return parseLiveCluster({
    metadata: { name: 'kube-abcde', uid: 'u', resourceVersion: '1', ...(annotations && { annotations }) },
    spec: {
      topology: { classRef: { name: 'magnum' }, version: 'v1.34.1', ...(workers === undefined ? {} : { workers }) },
    },
  });
}

describe('a machine deployment is added', () => {
  test.each([
    ['to the others', { machineDeployments: [{ name: 'a' }] }, '/machineDeployments/-', entry],
    ['to a list that is not there', {}, '/machineDeployments', [entry]],
    ['to workers that are not there', undefined, '', { machineDeployments: [entry] }],
  ])('%s', (_title, workers, path, value) => {
    const expected = { op: 'add', path: `/spec/topology/workers${path}`, value };
    expect(addMachineDeployment(liveCluster(workers), entry)).toEqual(expected);
  });
});

test('an entry is changed only where it stands', () => {
  const changes = [{ op: 'add', path: '/replicas', value: 3 }] as const;
  expect(changeMachineDeployment({ index: 1, name: 'gpu' }, changes)).toEqual([
    { op: 'test', path: '/spec/topology/workers/machineDeployments/1/name', value: 'gpu' },
    { op: 'add', path: '/spec/topology/workers/machineDeployments/1/replicas', value: 3 },
  ]);
});

describe('a machine deployment is removed', () => {
  const guard = (index: number) => ({
    op: 'test',
    path: `/spec/topology/workers/machineDeployments/${index}/name`,
    value: 'gpu',
  });

  test.each([
    ['from the others', { machineDeployments: [{ name: 'a' }, { name: 'gpu' }] }, 1, '/machineDeployments/1'],
    ['with the list of which it was the last', { machineDeployments: [{ name: 'gpu' }] }, 0, ''],
    [
      'with its list, beside machine pools',
      { machineDeployments: [{ name: 'gpu' }], machinePools: [{ name: 'p' }] },
      0,
      '/machineDeployments',
    ],
  ])('%s', (_title, workers, index, path) => {
    const remove = { op: 'remove', path: `/spec/topology/workers${path}` };
    expect(removeMachineDeployment(liveCluster(workers), 'gpu')).toEqual([guard(index), remove]);
  });

  test.each([
    ['where it is gone already', { machineDeployments: [{ name: 'a' }] }],
    ['where there are no workers', undefined],
  ])('never %s', (_title, workers) => {
    expect(removeMachineDeployment(liveCluster(workers), 'gpu')).toEqual([]);
  });
});

describe('a record is written', () => {
  const record = openRecord({ id: 'e', time: '2026-11-29T10:00:00Z' }, 'nodegroup.create', 60);

  test('beside other annotations, its key escaped', () => {
    expect(writeRecord(liveCluster({}, { other: 'x' }), 'gpu', record)).toEqual({
      op: 'add',
      path: '/metadata/annotations/nodegroup.magnum.openstack.org~1gpu',
      value: JSON.stringify(record),
    });
  });

  test('as the first annotation', () => {
    expect(writeRecord(liveCluster({}), null, record)).toEqual({
      op: 'add',
      path: '/metadata/annotations',
      value: { 'magnum.openstack.org/operation': JSON.stringify(record) },
    });
  });
});
