import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { processResource } from './process-resource.ts';

const settings = {
  traces: true,
  metrics: true,
  sampler: { name: 'always_on', ratio: 1 },
  functionName: 'create',
  version: '1.2.3',
} as const;

const names = ['OTEL_RESOURCE_ATTRIBUTES', 'OTEL_SERVICE_NAME', 'K_REVISION', 'K_SERVICE', 'HOSTNAME'];

beforeEach(() => {
  for (const name of names) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

function attributesIn(environment: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return processResource(settings).attributes;
}

test('a process on a laptop is told by its function', () => {
  const attributes = attributesIn({});
  expect(attributes).toMatchObject({
    'service.name': 'magnum-create',
    'service.namespace': 'magnum-capi-functions',
    'service.version': '1.2.3',
    'faas.name': 'create',
  });
  expect(Object.keys(attributes)).not.toContain('k8s.pod.name');
});

test('an instance of Knative is told by its Service, revision and pod, and each has an id of its own', () => {
  const environment = { K_SERVICE: 'magnum-create-x', K_REVISION: 'magnum-create-x-00001', HOSTNAME: 'pod' };
  const attributes = attributesIn(environment);
  expect(attributes).toMatchObject({
    'service.name': 'magnum-create-x',
    'faas.version': 'magnum-create-x-00001',
    'k8s.pod.name': 'pod',
  });
  const { 'service.instance.id': other } = attributesIn(environment);
  expect(attributes['service.instance.id']).not.toBe(other);
});

test('what the environment says counts more', () => {
  const attributes = attributesIn({
    K_SERVICE: 'magnum-create-x',
    OTEL_SERVICE_NAME: 'ours',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=theirs, service.namespace = cloud%20one ,deployment.environment.name=test,',
  });
  expect(attributes).toMatchObject({
    'service.name': 'ours',
    'service.namespace': 'cloud one',
    'deployment.environment.name': 'test',
  });
});

test.each(['a', '=b', 'a=%zz', 'service.namespace=x,nonsense'])(
  'attributes that cannot be read are left out as a whole: %s',
  (OTEL_RESOURCE_ATTRIBUTES) => {
    const attributes = attributesIn({ OTEL_RESOURCE_ATTRIBUTES });
    expect(attributes).toMatchObject({ 'service.namespace': 'magnum-capi-functions' });
    expect(Object.keys(attributes)).not.toContain('a');
  },
);
