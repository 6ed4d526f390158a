import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { autoscalerFacts, newAutoscalerAnnotations } from './autoscaler-facts.ts';

const limits = {
  'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '0',
  'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '3',
};
const autoscaled = { class: 'default-worker', name: 'a', metadata: { labels: {}, annotations: limits } };
const fixed = { class: 'default-worker', name: 'b', replicas: 1 };

function cluster(metadata: object = {}, topology: object = {}) {
  return {
    metadata: { name: 'kube-abcde', namespace: 'magnum-system', uid: 'u', resourceVersion: '1', ...metadata },
    spec: {
      topology: {
        classRef: { name: 'c' },
        version: 'v1.33.4',
        workers: { machineDeployments: [fixed, autoscaled] },
        ...topology,
      },
    },
  };
}

describe('the facts of a live Cluster', () => {
  test('are these', () => {
    expect(autoscalerFacts(cluster())).toEqual({
      stackId: 'kube-abcde',
      clusterUid: 'u',
      release: { tag: 'v1.33.5', enforcesMinimum: true, readsV1beta2: true },
      imageRepository: 'registry.k8s.io/autoscaling',
      nodeSelector: {},
      isAutoscaled: true,
    });
  });

  test.each([
    ['nodegroups of fixed size', { workers: { machineDeployments: [fixed] } }],
    ['no nodegroups', { workers: undefined }],
    ['an empty list', { workers: {} }],
    ['annotations of something else', { workers: { machineDeployments: [{ metadata: { annotations: { a: 'b' } } }] } }],
  ])('need no autoscaler with %s', (_what, topology) => {
    expect(autoscalerFacts(cluster({}, topology))).toMatchObject({ isAutoscaled: false });
  });

  test.each([
    ['registry.example.org/autoscaling', 'registry.example.org/autoscaling'],
    [' registry.example.org/a// ', 'registry.example.org/a'],
    ['', 'registry.k8s.io/autoscaling'],
    ['/', 'registry.k8s.io/autoscaling'],
  ])('have the image repository %j as %j', (option, imageRepository) => {
    const annotations = newAutoscalerAnnotations({ image_repository: option, node_selector: '' });
    expect(autoscalerFacts(cluster({ annotations }))).toMatchObject({ imageRepository });
  });

  test.each([
    ['', {}],
    [' zone = a,pool=infra, ', { pool: 'infra', zone: 'a' }],
    ['node-role.kubernetes.io/infra=', { 'node-role.kubernetes.io/infra': '' }],
  ])('have the node selector %j as %o', (option, selector) => {
    const annotations = newAutoscalerAnnotations({ image_repository: '', node_selector: option });
    expect(autoscalerFacts(cluster({ annotations }))).toMatchObject({ nodeSelector: selector });
  });

  test('have none where somebody has made it unreadable', () => {
    const annotations = { 'magnum.openstack.org/autoscaler-node-selector': 'pool' };
    expect(autoscalerFacts(cluster({ annotations }))?.nodeSelector).toEqual({});
  });

  test('take no image from what users set', () => {
    const variables = [{ name: 'imageRepository', value: 'evil.example.org' }];
    expect(autoscalerFacts(cluster({}, { variables }))).toMatchObject({
      imageRepository: 'registry.k8s.io/autoscaling',
    });
  });

  test.each<[string, unknown]>([
    ['none at all', null],
    ['a Cluster that is being deleted', cluster({ deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['a Cluster without uid', cluster({ uid: undefined })],
    ['a Cluster without topology', { ...cluster(), spec: {} }],
    ['an unreadable version', cluster({}, { version: 'newest' })],
    ['nodegroups that are no list', cluster({}, { workers: { machineDeployments: 'many' } })],
    [
      'annotations that are no text',
      cluster({}, { workers: { machineDeployments: [{ metadata: { annotations: 1 } }] } }),
    ],
  ])('are null for %s', (_what, live) => {
    expect(autoscalerFacts(live)).toBeNull();
  });

  test('never come with an exception', () => {
    const version = fc.oneof(fc.string(), fc.constant('v1.33.4'), fc.jsonValue());
    fc.assert(
      fc.property(fc.jsonValue(), version, fc.jsonValue(), (metadata, kubernetes, workers) => {
        autoscalerFacts({ metadata, spec: { topology: { version: kubernetes, workers } } });
        autoscalerFacts(cluster({}, { version: kubernetes, workers }));
      }),
    );
  });
});
