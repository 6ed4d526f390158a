import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Manifest, readManifests } from '../../local/manifests/read-manifests.ts';
import { autoscalerDeployment } from '../../shared/render/addons/cluster-autoscaler/deployment.ts';
import { withComponents } from './kustomize.ts';
import { servicesOf } from './services.ts';

const manifests = await readManifests();
const services = servicesOf(manifests);
const names = services.map(({ metadata }) => metadata.name);

const selector = z.object({
  matchLabels: z.record(z.string(), z.string()).default({}),
  matchExpressions: z
    .array(z.object({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }))
    .default([]),
});
type Selector = z.infer<typeof selector>;
type Labels = Readonly<Record<string, string>>;

function selects({ matchLabels, matchExpressions }: Selector, labels: Labels): boolean {
  const equal = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return equal && matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''));
}

/** Labels that Knative Serving puts on the instances of a Service: those of its Revision. */
function instanceLabels(service: string): Labels {
  const revision = `${service}-00001`;
  return {
    app: revision,
    'serving.knative.dev/service': service,
    'serving.knative.dev/configuration': service,
    'serving.knative.dev/configurationGeneration': '1',
    'serving.knative.dev/revision': revision,
  };
}

const autoscaler = autoscalerDeployment({
  stackId: 'kube-abcde',
  clusterUid: '0b8f0d5e-7a64-4f0f-9d0e-3b0c6a1f2e4d',
  release: { tag: 'v1.34.1', enforcesMinimum: true, readsV1beta2: true },
  imageRepository: 'registry.k8s.io/autoscaling',
  nodeSelector: {},
  isAutoscaled: true,
});

/** Pods of the namespace that are not of a function. */
const others: readonly (readonly [string, Labels])[] = [
  ['the autoscaler of a cluster', autoscaler.spec?.template.metadata?.labels ?? {}],
  [
    'the source of changes',
    {
      'eventing.knative.dev/source': 'apiserver-source-controller',
      'eventing.knative.dev/sourceName': 'magnum-objects',
    },
  ],
  [
    "RabbitMQ's dispatcher",
    { 'eventing.knative.dev/broker': 'magnum', 'eventing.knative.dev/brokerRole': 'dispatcher' },
  ],
];

const policy = z.object({
  spec: z.object({
    podSelector: selector,
    policyTypes: z.array(z.string()),
    ingress: z.array(z.looseObject({ from: z.array(z.object({ namespaceSelector: selector })) })).default([]),
  }),
});

const monitor = z.object({ spec: z.looseObject({ selector }) });

test('the labels of what is not to be touched are known', () => {
  for (const [, labels] of others) expect(labels).not.toEqual({});
});

function policiesOf(objects: readonly Manifest[]) {
  return objects.filter(({ kind }) => kind === 'NetworkPolicy').map((each) => policy.parse(each).spec);
}

function admits(namespace: string): boolean {
  const labels = { 'kubernetes.io/metadata.name': namespace };
  const sources = policiesOf(manifests).flatMap(({ ingress }) => ingress.flatMap(({ from }) => from));
  return sources.some(({ namespaceSelector }) => selects(namespaceSelector, labels));
}

describe('the network policy', () => {
  test.each(names)('is about the instances of %s', (name) => {
    expect(policiesOf(manifests).map(({ podSelector }) => selects(podSelector, instanceLabels(name)))).toEqual([true]);
  });

  test.each(names)('limits what %s reaches, where that is limited', async (name) => {
    const withEgress = policiesOf(await withComponents('egress'));
    expect(withEgress.map(({ podSelector }) => selects(podSelector, instanceLabels(name)))).toEqual([true, true]);
  });

  test.each(names)('lets Prometheus reach %s, where there is one', async (name) => {
    const objects = await withComponents('telemetry/pod-monitor');
    const monitors = objects
      .filter(({ kind }) => kind === 'PodMonitor')
      .map((each) => monitor.parse(each).spec.selector);
    expect(monitors.map((each) => selects(each, instanceLabels(name)))).toEqual([true]);
    expect(policiesOf(objects).map(({ podSelector }) => selects(podSelector, instanceLabels(name)))).toEqual([
      true,
      true,
    ]);
  });

  test.each(others)('leaves %s alone, with a limit of what functions reach too', async (_what, labels) => {
    for (const { podSelector } of policiesOf(await withComponents('egress'))) {
      expect(selects(podSelector, labels)).toBe(false);
    }
  });

  test('lets the data path of Serving in and nobody else, not even the functions themselves', () => {
    expect(admits('knative-serving')).toBe(true);
    expect(admits('kourier-system')).toBe(true);
    expect(admits('magnum-system')).toBe(false);
    expect(admits('default')).toBe(false);
  });

  test('limits what comes in and not what functions reach, unless the installation says where that is', async () => {
    expect(policiesOf(manifests).map(({ policyTypes }) => policyTypes)).toEqual([['Ingress']]);
    const withEgress = policiesOf(await withComponents('egress')).map(({ policyTypes }) => policyTypes);
    expect(withEgress.toSorted()).toEqual([['Egress'], ['Ingress']]);
  });
});

const budget = z.object({ spec: z.object({ maxUnavailable: z.literal(1), selector }) });

describe('the disruption budgets', () => {
  const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget').map((each) => budget.parse(each).spec);
  /** One instance cannot be kept while it is replaced. */
  const several = services.filter(
    ({ spec }) => Number(spec.template.metadata.annotations['autoscaling.knative.dev/max-scale']) > 1,
  );

  test('are there for every function of more than one instance, one each, and always let one instance go', () => {
    for (const { metadata } of services) {
      const about = budgets.filter((each) => selects(each.selector, instanceLabels(metadata.name)));
      expect({ name: metadata.name, budgets: about.length }).toEqual({
        name: metadata.name,
        budgets: several.some((each) => each.metadata.name === metadata.name) ? 1 : 0,
      });
    }
    expect(several).not.toHaveLength(0);
  });

  test.each(others)('do not hold up the eviction of %s', (_what, labels) => {
    expect(budgets.filter((each) => selects(each.selector, labels))).toEqual([]);
  });
});

test('no quota can stop a create', () => {
  expect(manifests.filter(({ kind }) => ['ResourceQuota', 'LimitRange'].includes(kind))).toEqual([]);
});
