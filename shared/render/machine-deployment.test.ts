import { describe, expect, test } from 'vitest';
import {
  exampleFacts,
  exampleIntent,
  exampleNodegroup,
  exampleServerGroups,
  ids,
} from '../../test/render/example-intent.ts';
import type { ClusterIntent, NodegroupIntent } from '../magnum/cluster-intent.ts';
import { clusterVariables } from './cluster-variables.ts';
import { machineDeploymentTopology, missingVariables } from './machine-deployment.ts';
import { capacityAnnotations } from './nodegroup-metadata.ts';

const clusterContext = {
  stackId: 'kube-abcde',
  facts: exampleFacts,
  serverGroups: exampleServerGroups,
  live: null,
};

function entry(changes: Partial<NodegroupIntent> = {}, cluster: Partial<ClusterIntent> = {}) {
  return machineDeploymentTopology(exampleNodegroup(changes), {
    clusterVariables: clusterVariables(exampleIntent(cluster), clusterContext),
    facts: exampleFacts,
    serverGroupId: ids.workerGroup,
  });
}

function override(name: string, changes: Partial<NodegroupIntent>, cluster: Partial<ClusterIntent> = {}) {
  return entry(changes, cluster).variables.overrides.find((variable) => variable.name === name)?.value;
}

describe('the entry of a nodegroup', () => {
  test('of fixed size is exactly this', () => {
    expect(entry()).toEqual({
      class: 'default-worker',
      name: 'default-worker',
      replicas: 2,
      metadata: {
        labels: { 'node-role.kubernetes.io/worker': '', 'node.cluster.x-k8s.io/nodegroup': 'default-worker' },
      },
      healthCheck: { enabled: true },
      deletion: { nodeVolumeDetachTimeoutSeconds: 300 },
      variables: {
        overrides: [
          { name: 'bootVolume', value: { size: 0, type: '' } },
          { name: 'flavor', value: 'm1.large' },
          { name: 'imageRepository', value: '' },
          { name: 'imageUUID', value: ids.ubuntuImage },
          { name: 'hardwareDiskBus', value: '' },
          { name: 'serverGroupId', value: ids.workerGroup },
          { name: 'isServerGroupDiffFailureDomain', value: false },
        ],
      },
    });
  });

  test('has a failure domain only with a zone', () => {
    expect(entry()).not.toHaveProperty('failureDomain');
    expect(entry({ availabilityZone: 'az1' }).failureDomain).toBe('az1');
  });

  test('that is autoscaled has annotations and no replicas', () => {
    const autoscaled = entry({
      size: { kind: 'autoscaled', minimum: 1, maximum: 5 },
      nodeLabels: { zone: 'b', 'example.com/disk': 'ssd' },
      nodeTaints: [
        { key: 'gpu', value: '', effect: 'NoSchedule' },
        { key: 'team', value: 'a', effect: 'NoExecute' },
      ],
    });
    expect(autoscaled).not.toHaveProperty('replicas');
    expect(autoscaled.metadata.annotations).toEqual({
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '1',
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '5',
      'capacity.cluster-autoscaler.kubernetes.io/memory': '8000Mi',
      'capacity.cluster-autoscaler.kubernetes.io/cpu': '4',
      'capacity.cluster-autoscaler.kubernetes.io/ephemeral-disk': '80Gi',
      'capacity.cluster-autoscaler.kubernetes.io/labels':
        'node-role.kubernetes.io/worker=,node.cluster.x-k8s.io/nodegroup=default-worker,example.com/disk=ssd,zone=b',
      'capacity.cluster-autoscaler.kubernetes.io/taints': 'gpu=:NoSchedule,team=a:NoExecute',
    });
  });

  test.each([
    [
      { ram: 512, disk: 10 },
      { memory: '512Mi', 'ephemeral-disk': '10Gi' },
    ],
    [{ ram: 1536, disk: 0 }, { memory: '1536Mi' }],
  ])('that is autoscaled says of a flavor with %o, in quantities of Kubernetes, %o', (flavor, expected) => {
    const prefix = 'capacity.cluster-autoscaler.kubernetes.io/';
    const told = capacityAnnotations({ ...flavor, vcpus: 2 }, 0);
    const wanted = { ...expected, cpu: '2' };
    expect(told).toEqual(Object.fromEntries(Object.entries(wanted).map(([key, value]) => [`${prefix}${key}`, value])));
  });

  test('that is autoscaled counts the boot volume as its disk', () => {
    const { metadata } = entry({
      size: { kind: 'autoscaled', minimum: 0, maximum: 1 },
      bootVolume: { size: 25, type: null },
    });
    expect(metadata.annotations).toMatchObject({ 'capacity.cluster-autoscaler.kubernetes.io/ephemeral-disk': '25Gi' });
    expect(metadata.annotations).not.toHaveProperty('capacity.cluster-autoscaler.kubernetes.io/taints');
  });

  test.each<[string, Partial<NodegroupIntent>, unknown]>([
    ['bootVolume', { bootVolume: { size: 20, type: null } }, { size: 20, type: '__DEFAULT__' }],
    ['bootVolume', { bootVolume: { size: 20, type: 'yes' } }, { size: 20, type: 'yes' }],
    ['imageRepository', { imageRepository: 'registry.example.com' }, 'registry.example.com'],
    ['imageUUID', { image: 'ubuntu-gpu' }, ids.gpuImage],
    ['hardwareDiskBus', { image: 'ubuntu-gpu' }, 'scsi'],
    ['isServerGroupDiffFailureDomain', { serverGroup: { policy: 'affinity', differentFailureDomain: true } }, true],
    ['dockerVolumeSize', {}, undefined],
    ['dockerVolumeSize', { dockerVolume: { size: 30, type: null } }, 30],
    ['enableDockerVolume', { dockerVolume: { size: 30, type: null } }, true],
    ['dockerVolumeType', { dockerVolume: { size: 30, type: null } }, '__DEFAULT__'],
    ['availabilityZone', { availabilityZone: 'az2' }, 'az2'],
    ['bootVolumeAvailabilityZone', { bootVolumeAvailabilityZone: 'az3' }, 'az3'],
    ['nodeLabels', {}, undefined],
    ['nodeLabels', { nodeLabels: { b: '2', a: '' } }, 'a=,b=2'],
    ['nodeTaints', {}, undefined],
    [
      'nodeTaints',
      { nodeTaints: [{ key: 'gpu', value: 'x', effect: 'NoExecute' }] },
      [{ key: 'gpu', value: 'x', effect: 'NoExecute' }],
    ],
  ])('overrides %s for %j with %j', (name, changes, value) => {
    expect(override(name, changes)).toEqual(value);
  });

  test.each<[string, Partial<NodegroupIntent>, Partial<ClusterIntent>, unknown]>([
    ['enableDockerVolume', {}, { dockerVolume: { size: 30, type: null } }, false],
    ['dockerVolumeSize', {}, { dockerVolume: { size: 30, type: null } }, undefined],
    [
      'dockerVolumeSize',
      { dockerVolume: { size: 30, type: 'a' } },
      { dockerVolume: { size: 30, type: 'b' } },
      undefined,
    ],
    ['dockerVolumeType', { dockerVolume: { size: 30, type: 'a' } }, { dockerVolume: { size: 30, type: 'b' } }, 'a'],
    ['availabilityZone', { availabilityZone: 'az1' }, { availabilityZone: 'az1' }, undefined],
    ['availabilityZone', {}, { availabilityZone: 'az1' }, ''],
  ])('overrides %s for %j in a cluster with %j by %j', (name, changes, cluster, value) => {
    expect(override(name, changes, cluster)).toEqual(value);
  });

  test('does not depend on the order of labels', () => {
    expect(entry({ nodeLabels: { a: '1', b: '2' } })).toEqual(entry({ nodeLabels: { b: '2', a: '1' } }));
  });

  test.each([
    ['flavor', { flavor: 'constructor' }],
    ['image', { image: 'no "such" image' }],
  ])('is refused in a sentence when its %s was never looked up', (what, changes) => {
    expect(() => entry(changes)).toThrow(`The ${what} ${JSON.stringify(Object.values(changes)[0])} is not known.`);
  });
});

test('an older class lacks what only this driver overrides', () => {
  const original = ['bootVolume', 'flavor', 'imageRepository', 'imageUUID', 'hardwareDiskBus'];
  const known = [...original, 'serverGroupId', 'isServerGroupDiffFailureDomain'];
  expect(missingVariables(known, entry())).toEqual([]);
  expect(missingVariables(known, entry({ nodeLabels: { a: '1' } }))).toEqual(['nodeLabels']);
});
