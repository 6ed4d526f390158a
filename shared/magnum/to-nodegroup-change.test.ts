import { describe, expect, test } from 'vitest';
import { clusterSnapshot, clusterTemplateSnapshot, magnumOptions, nodegroupSnapshot } from './snapshot.ts';
import { toNodegroupChange } from './to-nodegroup-change.ts';

const uuid = '3f0c6f0e-5a77-4c1b-9a35-6f5b0c0f9a01';

function read(row: object, cluster: object = {}) {
  const nodegroup = nodegroupSnapshot.parse({
    name: 'gpu',
    role: 'gpu',
    status: 'UPDATE_COMPLETE',
    node_count: 2,
    ...row,
  });
  const snapshot = {
    cluster: clusterSnapshot.parse({ uuid, stack_id: 'kube-abcde', ...cluster }),
    cluster_template: clusterTemplateSnapshot.parse({}),
    nodegroups: [],
    options: magnumOptions.parse({}),
  };
  return toNodegroupChange(snapshot, nodegroup);
}

describe('what a row asks of a nodegroup that exists', () => {
  test('is its size, its labels and its taints, however bad the rest is', () => {
    const labels = { boot_volume_size: '10GB', kube_tag: 'x', server_group_policies: '?' };
    const row = { flavor_id: {}, image_id: [], docker_volume_size: 'x', labels, node_labels: { a: 1 } };
    expect(read(row, { labels: { fixed_network: {}, kube_tag: '' } })).toMatchObject({
      intent: {
        name: 'gpu',
        role: 'gpu',
        size: { kind: 'fixed', replicas: 2 },
        nodeLabels: { a: '1' },
        nodeTaints: [],
      },
      notes: [],
    });
  });

  test("are the autoscaler's limits where the row or its cluster is autoscaled", () => {
    const autoscaled = { labels: { auto_scaling_enabled: 'true' } };
    const size = { kind: 'autoscaled', minimum: 1, maximum: 4 };
    const limits = { min_node_count: 1, max_node_count: 4 };
    expect(read({ ...limits, ...autoscaled })).toMatchObject({ intent: { size } });
    expect(read(limits, autoscaled)).toMatchObject({ intent: { size } });
  });

  test('is refused with all faults at once', () => {
    const row = { node_count: null, max_node_count: 'x', node_labels: { 'kubernetes.io/x': '' }, node_taints: [{}] };
    const outcome = read(row);
    expect('faults' in outcome ? outcome.faults.map(({ field }) => field) : []).toEqual([
      'nodegroups.gpu.node_count',
      'nodegroups.gpu.max_node_count',
      'nodegroups.gpu.node_labels',
      'nodegroups.gpu.node_taints',
    ]);
  });
});
