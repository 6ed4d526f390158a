import { expect, test } from 'vitest';
import type { AutoscalerFacts } from './autoscaler-facts.ts';
import { autoscalerDeployment } from './deployment.ts';
import { autoscalerRelease } from './release.ts';

function facts(
  kubernetesVersion: string,
  imageRepository = 'registry.k8s.io/autoscaling',
  nodeSelector: AutoscalerFacts['nodeSelector'] = {},
): AutoscalerFacts {
  const release = autoscalerRelease(kubernetesVersion);
  if (release === null) throw new Error('There is such a release.');
  return {
    stackId: 'kube-abcde',
    clusterUid: '0b8f0d5e-7a64-4f0f-9d0e-3b0c6a1f2e4d',
    release,
    imageRepository,
    nodeSelector,
    isAutoscaled: true,
  };
}

const container = (...input: Parameters<typeof facts>) =>
  autoscalerDeployment(facts(...input)).spec?.template.spec?.containers[0];

test('the autoscaler of a cluster is exactly this', () => {
  expect(autoscalerDeployment(facts('v1.33.4'))).toMatchSnapshot();
});

test('an image comes from the repository of the operator', () => {
  expect(container('v1.33.4', 'registry.example.org:5000/k8s')?.image).toBe(
    'registry.example.org:5000/k8s/cluster-autoscaler:v1.33.5',
  );
});

test.each([
  ['v1.25.3', false, 'v1beta1'],
  ['v1.29.1', true, 'v1beta1'],
  ['v1.30.1', true, undefined],
])(
  'the release for %s is told to enforce the minimum: %s, and which version to read: %s',
  (version, isTold, apiVersion) => {
    expect(container(version)?.args?.includes('--enforce-node-group-min-size=true')).toBe(isTold);
    expect(container(version)?.env?.find(({ name }) => name === 'CAPI_VERSION')?.value).toBe(apiVersion);
  },
);

test('the hash differs where a field is no longer there', () => {
  const hash = (version: string) =>
    autoscalerDeployment(facts(version)).metadata?.annotations?.['magnum.openstack.org/rendered-hash'];
  expect(hash('v1.29.1')).toMatch(/^[0-9a-f]{64}$/);
  expect(hash('v1.29.1')).not.toBe(hash('v1.30.1'));
  expect(hash('v1.33.1')).toBe(hash('v1.33.4'));
});

test('a selector is part of what every pod has', () => {
  const { spec } = autoscalerDeployment(facts('v1.33.4'));
  expect(spec?.template.metadata?.labels).toMatchObject(spec?.selector.matchLabels ?? { never: '' });
});

test('the operator may demand labels of the nodes, and then none are preferred', () => {
  const podSpec = (selector: AutoscalerFacts['nodeSelector']) =>
    autoscalerDeployment(facts('v1.33.4', undefined, selector)).spec?.template.spec;
  expect(podSpec({ pool: 'infra', zone: '' })?.nodeSelector).toEqual({ pool: 'infra', zone: '' });
  expect(podSpec({ pool: 'infra' })).not.toHaveProperty('affinity');
  expect(podSpec({})).not.toHaveProperty('nodeSelector');
});
