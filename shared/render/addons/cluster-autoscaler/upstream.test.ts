import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readManifests } from '../../../../local/manifests/read-manifests.ts';
import { autoscalerDeployment } from './deployment.ts';
import { autoscalerRelease } from './release.ts';

/*
 * Facts of kubernetes/autoscaler: the chart 9.59.0 (cluster-autoscaler/charts/cluster-autoscaler, mode kubeconfig-incluster), and
 * README.md and examples/deployment.yaml of cluster-autoscaler/cloudprovider/clusterapi.
 */

const deployment = autoscalerDeployment({
  stackId: 'kube-abcde',
  clusterUid: '0b8f0d5e-7a64-4f0f-9d0e-3b0c6a1f2e4d',
  release: autoscalerRelease('v1.34.1') ?? { tag: '', enforcesMinimum: true, readsV1beta2: true },
  imageRepository: 'registry.k8s.io/autoscaling',
  nodeSelector: {},
  isAutoscaled: true,
});
const pod = deployment.spec?.template.spec;
const [container] = pod?.containers ?? [];

describe('the pod', () => {
  const directory = '/etc/kubernetes/workload';
  test.each([
    ['the provider', '--cloud-provider=clusterapi'],
    ['where its status is kept, in the workload cluster', '--namespace=kube-system'],
    [
      'groups of this cluster alone',
      '--node-group-auto-discovery=clusterapi:namespace=magnum-system,clusterName=kube-abcde',
    ],
    ['the kubeconfig of the workload cluster', `--kubeconfig=${directory}/kubeconfig`],
    ['its account for the management cluster', '--clusterapi-cloud-config-authoritative=true'],
  ])('is told as by the chart: %s', (_what, argument) => {
    expect(container?.args).toContain(argument);
  });

  test('is told of its own: the minimum as by the original driver, no election since there is one pod, and what it logs', () => {
    expect(container?.args?.slice(5)).toEqual(['--enforce-node-group-min-size=true', '--leader-elect=false', '--v=4']);
  });

  test('is asked and scraped where the chart does', () => {
    expect(container?.livenessProbe?.httpGet).toEqual({ path: '/health-check', port: 8085 });
    expect(container?.ports).toMatchObject([{ containerPort: 8085 }]);
  });

  test('has the kubeconfig that Cluster API writes, and nothing else', () => {
    expect(container?.volumeMounts).toEqual([{ name: 'kubeconfig', mountPath: directory, readOnly: true }]);
    expect(pod?.volumes).toMatchObject([
      {
        name: 'kubeconfig',
        secret: { secretName: 'kube-abcde-kubeconfig', items: [{ key: 'value', path: 'kubeconfig' }] },
      },
    ]);
    expect(container?.command).toEqual(['/cluster-autoscaler']);
  });

  test.each([
    // Nothing of this provider reads the variables of the chart.
    ['no variables', container?.env],
    // The example tolerates control planes; chart and original do not, and the operator chooses the nodes.
    ['no tolerations', pod?.tolerations],
    // The default of 30 s holds nobody up.
    ['no time to end of its own', pod?.terminationGracePeriodSeconds],
  ])('has %s', (_what, value) => {
    expect(value).toBeUndefined();
  });
});

const verbs = (group: string, resources: readonly string[], allowed: readonly string[]) =>
  resources.flatMap((resource) => allowed.map((verb) => `${verb} ${resource}.${group}`));

const capi = 'cluster.x-k8s.io';
const scalable = ['machinedeployments', 'machinepools', 'machinesets'];

/** Of the management side: the example's cluster role, the chart's role, and README, "RBAC changes for scaling from zero". */
const upstream = [
  ...verbs(capi, [...scalable, 'machines', 'machinedeployments/scale'], ['get', 'list', 'update', 'watch', 'patch']),
  ...verbs(capi, ['machinepools/scale'], ['get', 'patch', 'update']),
  ...verbs('infrastructure.cluster.x-k8s.io', ['openstackmachinetemplates'], ['get', 'list', 'watch']),
];

/** What is not granted, and why. */
const withheld = [
  // clusterapi_unstructured.go writes Machines, by an update, and sizes, by the subresource: nothing else.
  ...verbs(capi, scalable, ['update', 'patch']),
  ...verbs(capi, ['machines'], ['patch']),
  // A subresource cannot be listed or watched.
  ...verbs(capi, ['machinedeployments/scale'], ['list', 'watch']),
  // A cluster of Magnum has no machine pools; their kind is only looked for.
  ...verbs(capi, ['machinepools/scale'], ['get', 'patch', 'update']),
];

const role = z.looseObject({
  rules: z.array(
    z.object({ apiGroups: z.array(z.string()), resources: z.array(z.string()), verbs: z.array(z.string()) }),
  ),
});

test('its account may what upstream grants for the management side, but for what it does not use', async () => {
  const manifests = await readManifests();
  const found = manifests.find(({ kind, metadata }) => kind === 'Role' && metadata.name === pod?.serviceAccountName);
  // ConfigMaps, Leases, Events, Nodes and Pods are the workload cluster's, by its kubeconfig.
  const granted = role
    .parse(found)
    .rules.flatMap((rule) => rule.apiGroups.flatMap((group) => verbs(group, rule.resources, rule.verbs)));
  expect(granted.toSorted()).toEqual(upstream.filter((right) => !withheld.includes(right)).toSorted());
});
