import { describe, expect, test } from 'vitest';
import type { LiveMachineDeployment } from '../../shared/kubernetes/live-cluster.ts';
import type { NodegroupChange } from '../../shared/magnum/to-nodegroup-change.ts';
import { changedEntry, entryChanges } from './changed-entry.ts';

const limits = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-';
const capacity = 'capacity.cluster-autoscaler.kubernetes.io/';
const labels = { 'node-role.kubernetes.io/gpu': '', 'node.cluster.x-k8s.io/nodegroup': 'gpu' };
const taint = { key: 'gpu', value: 'true', effect: 'NoSchedule' } as const;

const fixed: LiveMachineDeployment = {
  name: 'gpu',
  class: 'default-worker',
  replicas: 2,
  metadata: { labels, finalizers: ['kept'] },
  variables: { overrides: [{ name: 'flavor', value: 'm1.medium', definitionFrom: 'kept' }] },
  unknown: { kept: true },
};

const scaled: LiveMachineDeployment = {
  name: 'gpu',
  metadata: {
    labels,
    annotations: {
      [`${limits}min-size`]: '1',
      [`${limits}max-size`]: '3',
      [`${capacity}memory`]: '4G',
      [`${capacity}cpu`]: '2',
      [`${capacity}ephemeral-disk`]: '40',
      [`${capacity}labels`]: 'node-role.kubernetes.io/gpu=,node.cluster.x-k8s.io/nodegroup=gpu',
      'example.org/own': 'kept',
    },
  },
};

const same: NodegroupChange = {
  name: 'gpu',
  role: 'gpu',
  size: { kind: 'fixed', replicas: 2 },
  nodeLabels: {},
  nodeTaints: [],
};
const sameLimits = { ...same, size: { kind: 'autoscaled', minimum: 1, maximum: 3 } } as const;

function changes(entry: LiveMachineDeployment, change: NodegroupChange, facts = {}) {
  return entryChanges(entry, changedEntry(entry, change, facts));
}

describe('what is right already is not sent', () => {
  test.each([
    ['of a fixed size', fixed, same],
    ['of limits', scaled, sameLimits],
    [
      'of labels in another order',
      { ...fixed, variables: { overrides: [{ name: 'nodeLabels', value: 'b=2, a=1' }] } },
      { ...same, nodeLabels: { a: '1', b: '2' } },
    ],
    [
      'of taints in another order',
      {
        ...fixed,
        variables: {
          overrides: [
            {
              name: 'nodeTaints',
              value: [
                { ...taint, key: 'b' },
                { effect: 'NoSchedule', key: 'a', value: 'true' },
              ],
            },
          ],
        },
      },
      {
        ...same,
        nodeTaints: [
          { ...taint, key: 'a' },
          { ...taint, key: 'b' },
        ],
      },
    ],
  ])('%s', (_title, entry, change) => {
    expect(changes(entry, change)).toEqual([]);
  });
});

describe('a change', () => {
  test('of the size is the number of nodes alone', () => {
    const change = { ...same, size: { kind: 'fixed', replicas: 0 } } as const;
    expect(changes(fixed, change)).toEqual([{ op: 'add', path: '/replicas', value: 0 }]);
  });

  test('of the limits keeps the capacity, unit or not, and what others wrote', () => {
    const { metadata } = changedEntry(scaled, { ...sameLimits, size: { kind: 'autoscaled', minimum: 0, maximum: 9 } });
    expect(metadata?.annotations).toEqual({
      ...scaled.metadata?.annotations,
      [`${limits}min-size`]: '0',
      [`${limits}max-size`]: '9',
    });
  });

  test('from a number to limits removes that, and takes the capacity that was looked up', () => {
    const facts = { [`${capacity}cpu`]: '8' };
    const wanted = changedEntry(fixed, sameLimits, facts);
    expect(wanted).not.toHaveProperty('replicas');
    expect(wanted.metadata?.annotations).toMatchObject({ ...facts, [`${limits}max-size`]: '3' });
    expect(entryChanges(fixed, wanted).map(({ op, path }) => `${op} ${path}`)).toEqual([
      'remove /replicas',
      'add /metadata',
    ]);
  });

  test('from limits to a number leaves only the annotations of others', () => {
    const wanted = changedEntry(scaled, same);
    expect(wanted).toMatchObject({ replicas: 2 });
    expect(wanted.metadata?.annotations).toEqual({ 'example.org/own': 'kept' });
  });

  test('of labels and taints keeps unknown fields and other overrides', () => {
    const wanted = changedEntry(fixed, { ...same, nodeLabels: { a: '1' }, nodeTaints: [taint] });
    expect(wanted).toEqual({
      ...fixed,
      variables: {
        overrides: [
          { name: 'flavor', value: 'm1.medium', definitionFrom: 'kept' },
          { name: 'nodeLabels', value: 'a=1' },
          { name: 'nodeTaints', value: [taint] },
        ],
      },
    });
  });

  test('that takes the last override away leaves no empty list', () => {
    const entry = { ...fixed, variables: { overrides: [{ name: 'nodeLabels', value: 'a=1' }] } };
    expect(changes(entry, same)).toEqual([{ op: 'remove', path: '/variables' }]);
  });
});

test('an entry without metadata gets the labels of its role', () => {
  expect(changedEntry({ name: 'gpu' }, same)).toEqual({ name: 'gpu', replicas: 2, metadata: { labels } });
});
