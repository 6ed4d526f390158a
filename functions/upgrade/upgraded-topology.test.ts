import { describe, expect, test } from 'vitest';
import { type LiveCluster, parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import type { NodegroupIntent } from '../../shared/magnum/cluster-intent.ts';
import { topology } from '../../shared/render/cluster.ts';
import { maximumSizeAnnotation, minimumSizeAnnotation } from '../../shared/render/nodegroup-metadata.ts';
import {
  exampleFacts,
  exampleIntent,
  exampleNodegroup,
  exampleServerGroups,
} from '../../test/render/example-intent.ts';
import { upgradedTopology } from './upgraded-topology.ts';

const image = { id: 'new-image', diskBus: 'scsi' };
const limits = { [minimumSizeAnnotation]: '2', [maximumSizeAnnotation]: '9' };
const autoscaled = { kind: 'autoscaled', minimum: 1, maximum: 3 } as const;

type LiveTopology = LiveCluster['spec']['topology'];

function live(workers: readonly object[] | undefined, changes: object = {}): LiveTopology {
  const { spec } = parseLiveCluster({
    metadata: { name: 'kube-abcde', uid: 'u', resourceVersion: '1' },
    spec: {
      topology: {
        classRef: { name: 'old' },
        version: 'v1.32.0',
        controlPlane: { replicas: 5 },
        ...(workers && { workers: { machineDeployments: workers } }),
        ...changes,
      },
    },
  });
  return spec.topology;
}

function upgraded(liveTopology: LiveTopology, workers: readonly NodegroupIntent[] = [exampleNodegroup()]) {
  const rendered = topology({
    stackId: 'kube-abcde',
    className: 'new',
    intent: exampleIntent({ workers }),
    facts: exampleFacts,
    serverGroups: exampleServerGroups,
    live: null,
  });
  const value = upgradedTopology(liveTopology, rendered, image);
  return { ...value, entries: parseLiveCluster({ ...shell, spec: { topology: value } }).spec.topology.workers };
}

const shell = { metadata: { name: 'kube-abcde', uid: 'u', resourceVersion: '1' } };

function entry(workers: readonly object[], intents?: readonly NodegroupIntent[]) {
  const [first] = upgraded(live(workers), intents).entries?.machineDeployments ?? [];
  if (first === undefined) throw new Error('There is no entry.');
  return first;
}

describe('an upgraded topology', () => {
  test('has the new class and version and the live number of masters', () => {
    expect(upgraded(live([]))).toMatchObject({
      classRef: { name: 'new' },
      version: 'v1.33.4',
      controlPlane: { replicas: 5, healthCheck: { enabled: true } },
    });
  });

  test('has one master where the live one does not say how many', () => {
    expect(upgraded(live([], { controlPlane: {} })).controlPlane.replicas).toBe(1);
  });

  test.each([
    ['that has no workers', undefined],
    ['whose last nodegroup was deleted', []],
  ])('of one %s has none either', (_title, workers) => {
    expect(upgraded(live(workers))).not.toHaveProperty('workers');
  });

  test('has exactly the nodegroups that live, in their order', () => {
    const names = upgraded(live([{ name: 'b' }, { name: 'default-worker' }, { name: 'a' }]), [
      exampleNodegroup(),
      exampleNodegroup({ name: 'deleted' }),
    ]).entries?.machineDeployments?.map(({ name }) => name);
    expect(names).toEqual(['b', 'default-worker', 'a']);
  });
});

describe('a nodegroup that Magnum knows', () => {
  const name = 'default-worker';

  test('is rendered anew, but for its size', () => {
    const overrides = [{ name: 'flavor', value: 'by-hand' }];
    const found = entry([{ name, class: 'old', replicas: 7, failureDomain: 'gone', variables: { overrides } }]);
    expect(found).toMatchObject({ class: 'default-worker', replicas: 7 });
    expect(found).not.toHaveProperty('failureDomain');
    expect(found.variables?.overrides).toContainEqual({ name: 'flavor', value: 'm1.large' });
  });

  test('keeps the limits that it lives with, and gets the capacity of its flavor', () => {
    const found = entry([{ name, metadata: { annotations: limits } }], [exampleNodegroup({ size: autoscaled })]);
    expect(found).not.toHaveProperty('replicas');
    expect(found.metadata?.annotations).toMatchObject({
      ...limits,
      'capacity.cluster-autoscaler.kubernetes.io/cpu': '4',
    });
  });

  test('stays of a fixed size where only the row says that it is autoscaled', () => {
    const found = entry([{ name, replicas: 3 }], [exampleNodegroup({ size: autoscaled })]);
    expect(found.replicas).toBe(3);
    expect(found.metadata).not.toHaveProperty('annotations');
  });

  test('stays autoscaled where only the row says that it is not', () => {
    const found = entry([{ name, metadata: { annotations: limits } }]);
    expect(found).not.toHaveProperty('replicas');
    expect(found.metadata?.annotations).toEqual(limits);
  });

  test('keeps what others wrote into its metadata', () => {
    const metadata = { labels: { team: 'a' }, annotations: { note: 'x' } };
    expect(entry([{ name, replicas: 1, metadata }]).metadata).toMatchObject({
      labels: { team: 'a', 'node-role.kubernetes.io/worker': '' },
      annotations: { note: 'x' },
    });
  });
});

describe('a nodegroup that Magnum does not know yet', () => {
  const unknown = {
    name: 'gpu',
    class: 'old',
    replicas: 4,
    failureDomain: 'az2',
    healthCheck: { enabled: false },
    metadata: { annotations: { note: 'x' } },
    variables: {
      overrides: [
        { name: 'flavor', value: 'gpu' },
        { name: 'imageUUID', value: 'old-image' },
        { name: 'ofANewerRelease', value: 1 },
      ],
    },
  };

  test('keeps everything but class and image', () => {
    expect(entry([unknown])).toEqual({
      ...unknown,
      class: 'default-worker',
      variables: {
        overrides: [
          { name: 'flavor', value: 'gpu' },
          { name: 'imageUUID', value: 'new-image' },
          { name: 'hardwareDiskBus', value: 'scsi' },
        ],
      },
    });
  });

  test.each(['', null, undefined])('has no zone where that is %j', (failureDomain) => {
    expect(entry([{ ...unknown, failureDomain }])).not.toHaveProperty('failureDomain');
  });

  test('gets its image also where it has no variables of its own', () => {
    expect(entry([{ name: 'gpu' }]).variables?.overrides).toEqual([
      { name: 'imageUUID', value: 'new-image' },
      { name: 'hardwareDiskBus', value: 'scsi' },
    ]);
  });
});
