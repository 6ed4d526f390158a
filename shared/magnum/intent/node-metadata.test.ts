import { expect, test } from 'vitest';
import { sampleNodegroup, sampleSnapshot } from '../sample-snapshots.ts';
import { toNodegroupIntent } from '../to-nodegroup-intent.ts';

function outcome(changes: Readonly<Record<string, unknown>>) {
  return toNodegroupIntent(sampleSnapshot(), sampleNodegroup(changes));
}

test.each([
  [null, {}],
  [{}, {}],
  [
    { gpu: 'a100', 'example.org/tier': '', 'node.kubernetes.io/pool': 'x' },
    { gpu: 'a100', 'example.org/tier': '', 'node.kubernetes.io/pool': 'x' },
  ],
  [
    { count: 2, spot: true, none: null },
    { count: '2', spot: 'true', none: '' },
  ],
])('node_labels %j are %j', (node_labels, nodeLabels) => {
  expect(outcome({ node_labels })).toHaveProperty('intent.nodeLabels', nodeLabels);
});

const reserved =
  'is reserved: nodes may label themselves only outside kubernetes.io and k8s.io, or below node.kubernetes.io and kubelet.kubernetes.io';

test.each([
  [['gpu'], ' holds no labels'],
  ['gpu=a100', ' holds no labels'],
  [{ 'a b': '' }, ': "a b" is no key of a Kubernetes label'],
  [{ ['ü'.repeat(80)]: '' }, `: "${'ü'.repeat(60)}…" is no key of a Kubernetes label`],
  [{ gpu: 'a 100' }, ': "a 100" of "gpu" is no value of a Kubernetes label'],
  [{ gpu: ['a100'] }, ': the value of "gpu" is no text'],
  [{ 'node-role.kubernetes.io/gpu': '' }, `: "node-role.kubernetes.io/gpu" ${reserved}`],
  [{ 'node.cluster.x-k8s.io/nodegroup': 'x' }, `: "node.cluster.x-k8s.io/nodegroup" ${reserved}`],
])('node_labels %j are refused', (node_labels, problem) => {
  expect(outcome({ node_labels })).toEqual({
    faults: [
      {
        code: 'invalid_field',
        field: 'nodegroups.gpu.node_labels',
        message: `Field node_labels of nodegroup gpu${problem}.`,
      },
    ],
  });
});

test('node_taints reach the intent, a missing value is empty', () => {
  const node_taints = [
    { key: 'example.org/gpu', value: 'yes', effect: 'NoSchedule' },
    { key: 'example.org/gpu', value: null, effect: 'NoExecute' },
    { key: 'spot', effect: 'PreferNoSchedule', note: 'unknown fields pass' },
  ];
  expect(outcome({ node_taints })).toHaveProperty('intent.nodeTaints', [
    { key: 'example.org/gpu', value: 'yes', effect: 'NoSchedule' },
    { key: 'example.org/gpu', value: '', effect: 'NoExecute' },
    { key: 'spot', value: '', effect: 'PreferNoSchedule' },
  ]);
});

test.each([
  [{ key: 'a' }, ' is no list of taints'],
  [[null], expect.stringContaining(': of taint 1 the ')],
  [
    [{ key: 'a', value: '', effect: 'Never' }],
    ': of taint 1 the effect is none of NoSchedule, PreferNoSchedule, NoExecute',
  ],
  [[{ key: 'a b', value: '', effect: 'NoExecute' }], ': of taint 1 the key is no key of a Kubernetes taint'],
  [[{ value: '', effect: 'NoExecute' }], ': of taint 1 the key is no text'],
  [[{ key: 'a', value: 'b c', effect: 'NoExecute' }], ': of taint 1 the value is no value of a Kubernetes label'],
  [
    [
      { key: 'a', value: '1', effect: 'NoExecute' },
      { key: 'a', value: '2', effect: 'NoExecute' },
    ],
    ': "a" with effect NoExecute is listed twice',
  ],
])('node_taints %j are refused', (node_taints, problem) => {
  const message = typeof problem === 'string' ? `Field node_taints of nodegroup gpu${problem}.` : problem;
  expect(outcome({ node_taints })).toMatchObject({ faults: [{ field: 'nodegroups.gpu.node_taints', message }] });
});
