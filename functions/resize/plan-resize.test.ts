import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RejectedError } from '../../shared/contract/errors.ts';
import { type LiveCluster, parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { applyPatch } from '../../shared/kubernetes/testing/apply-patch.ts';
import { nodegroupSnapshot } from '../../shared/magnum/snapshot.ts';
import { planResize } from './plan-resize.ts';

const time = '2026-11-30T09:00:00Z';
const balanced = [{ name: 'apiServerLoadBalancer', value: { enabled: true } }];

interface Topology {
  readonly masters?: number;
  readonly workers?: readonly object[];
  readonly variables?: readonly object[];
  readonly annotations?: Readonly<Record<string, string>>;
}

function liveCluster({ masters, workers, variables = balanced, annotations }: Topology): LiveCluster {
  return parseLiveCluster({
    metadata: { name: 'kube-abcde', uid: 'u', resourceVersion: '1', ...(annotations && { annotations }) },
    spec: {
      topology: {
        classRef: { name: 'magnum' },
        version: 'v1.34.1',
        ...(masters === undefined ? {} : { controlPlane: { replicas: masters, unknown: 'kept' } }),
        ...(workers === undefined ? {} : { workers: { machineDeployments: workers } }),
        variables,
      },
    },
  });
}

function resize(cluster: LiveCluster, nodegroup: string, nodeCount: number, row: object = {}): LiveCluster {
  const role = nodegroup === 'default-master' ? 'master' : 'worker';
  const data = {
    nodegroup: nodegroupSnapshot.parse({ name: nodegroup, role, ...row }),
    node_count: nodeCount,
    nodes_to_remove: null,
  };
  const { operations } = planResize({ event: { id: 'e', time, data }, nodegroup, machines: [] }, cluster);
  return parseLiveCluster(applyPatch(cluster, operations));
}

const group = fc.record(
  {
    name: fc.constantFrom('default-worker', 'gpu', 'a', 'b'),
    replicas: fc.nat({ max: 9 }),
    metadata: fc.constantFrom({}, { labels: { x: 'y' } }),
    class: fc.constant('default-worker'),
  },
  { requiredKeys: ['name'] },
);
const topology = fc.record(
  {
    masters: fc.constantFrom(1, 3, 5),
    workers: fc.uniqueArray(group, { selector: ({ name }) => name }),
    annotations: fc.constantFrom({}, { 'example.org/x': 'y' }),
  },
  { requiredKeys: [] },
);
const steps = fc.array(
  fc.record({
    nodegroup: fc.constantFrom('default-master', 'default-worker', 'gpu', 'a', 'b'),
    count: fc.nat({ max: 9 }),
  }),
  { maxLength: 8 },
);

/** A Cluster without what a resize of a nodegroup may change. */
function withoutSize(cluster: LiveCluster, nodegroup: string): unknown {
  const { controlPlane, workers, ...others } = cluster.spec.topology;
  const { [`nodegroup.magnum.openstack.org/${nodegroup}`]: _record, ...annotations } =
    cluster.metadata.annotations ?? {};
  const { replicas: masters, ...restOfControlPlane } = controlPlane ?? {};
  const entries = workers?.machineDeployments?.map(({ replicas, ...entry }) =>
    entry.name === nodegroup ? entry : { ...entry, replicas },
  );
  return { others, annotations, restOfControlPlane, masters: nodegroup === 'default-master' ? null : masters, entries };
}

test('any resizes of any topology change the size of their own nodegroup only', () => {
  const property = fc.property(topology, steps, (initial, resizes) => {
    let cluster = liveCluster(initial);
    for (const { nodegroup, count } of resizes) {
      const resized = isPossible(cluster, nodegroup, count) ? resize(cluster, nodegroup, count) : cluster;
      if (resized === cluster) expect(() => resize(cluster, nodegroup, count)).toThrow(RejectedError);
      else expect(sizeOf(resized, nodegroup)).toBe(count);
      expect(withoutSize(resized, nodegroup)).toEqual(withoutSize(cluster, nodegroup));
      cluster = resized;
    }
  });
  void fc.assert(property);
});

function isPossible(cluster: LiveCluster, nodegroup: string, count: number): boolean {
  return nodegroup === 'default-master' ? count % 2 === 1 : sizeOf(cluster, nodegroup) !== null;
}

/** null where the nodegroup is not there. */
function sizeOf({ spec }: LiveCluster, nodegroup: string): number | undefined | null {
  if (nodegroup === 'default-master') return spec.topology.controlPlane?.replicas;
  const entry = spec.topology.workers?.machineDeployments?.find(({ name }) => name === nodegroup);
  return entry === undefined ? null : entry.replicas;
}

describe('masters', () => {
  test('may become fewer without a load balancer, however they have become more', () => {
    expect(sizeOf(resize(liveCluster({ masters: 3, variables: [] }), 'default-master', 1), 'default-master')).toBe(1);
  });

  test.each([
    ['a load balancer that is switched off', [{ name: 'apiServerLoadBalancer', value: { enabled: false } }]],
    ['a variable of another type', [{ name: 'apiServerLoadBalancer', value: 'yes' }]],
    ['no such variable', []],
  ])('may not become more with %s', (_title, variables) => {
    const cluster = liveCluster({ masters: 1, variables });
    expect(() => resize(cluster, 'default-master', 3)).toThrow('3 masters need a load balancer in front of the API');
  });

  test('are held against the limits of their row as well, all faults at once', () => {
    const cluster = liveCluster({ masters: 1, variables: [] });
    const beyond = () => resize(cluster, 'default-master', 7, { max_node_count: 5 });
    expect(beyond).toThrow(/7 is above max_node_count, 5.*need a load balancer/);
  });
});

test('a nodegroup whose deletion is recorded is on its way out, although its entry may still be seen', () => {
  const record = { id: 'd', type: 'nodegroup.delete', started: time, deadline: null, completed: null };
  const annotations = { 'nodegroup.magnum.openstack.org/gpu': JSON.stringify(record) };
  const cluster = liveCluster({ workers: [{ name: 'gpu', replicas: 1 }], annotations });
  expect(() => resize(cluster, 'gpu', 2)).toThrow('Nodegroup gpu is being deleted.');
});
