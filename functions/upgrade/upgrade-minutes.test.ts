import { expect, test } from 'vitest';
import { parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { maximumSizeAnnotation, minimumSizeAnnotation } from '../../shared/render/nodegroup-metadata.ts';
import { upgradeMinutes } from './upgrade-minutes.ts';

const limits = { [minimumSizeAnnotation]: '1', [maximumSizeAnnotation]: '7' };

test.each([
  ['a master alone', { controlPlane: { replicas: 1 } }, 1],
  ['a control plane that says nothing', {}, 1],
  ['three masters and five workers', { controlPlane: { replicas: 3 }, workers: [{ replicas: 5 }] }, 8],
  ['an empty group', { controlPlane: { replicas: 1 }, workers: [{ replicas: 0 }] }, 1],
  [
    'a group that may have seven',
    { controlPlane: { replicas: 1 }, workers: [{ metadata: { annotations: limits } }] },
    8,
  ],
  ['a group that says nothing', { controlPlane: { replicas: 1 }, workers: [{}] }, 2],
  ['limits that are none', { workers: [{ metadata: { annotations: { [maximumSizeAnnotation]: 'many' } } }] }, 2],
])('%s takes half an hour a machine', (_title, { workers, ...topology }: Topology, machines) => {
  const machineDeployments = workers?.map((entry, index) => ({ name: `group-${index}`, ...entry }));
  const cluster = parseLiveCluster({
    metadata: { name: 'kube-abcde', uid: 'u', resourceVersion: '1' },
    spec: { topology: { classRef: { name: 'c' }, version: 'v1.33.4', ...topology, workers: { machineDeployments } } },
  });
  expect(upgradeMinutes(cluster)).toBe(machines * 30);
});

interface Topology {
  readonly controlPlane?: object;
  readonly workers?: readonly object[];
}
