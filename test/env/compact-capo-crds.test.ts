import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDefinitions } from './api-server-setup.ts';
import { readCapoDefinitions } from './capo-crds.ts';
import { compactCapoDefinitions } from './compact-capo-crds.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { connectApi, type KubernetesApi } from './kubernetes-api.ts';

const group = 'infrastructure.cluster.x-k8s.io';
let controlPlane: ControlPlane;
let api: KubernetesApi;
let empty: string;

beforeAll(async () => {
  empty = await mkdtemp(join(tmpdir(), 'crds-test-'));
  controlPlane = await startControlPlane({ managers: false });
  api = connectApi({ ...controlPlane, token: controlPlane.adminToken });
  await createDefinitions(api, compactCapoDefinitions(), AbortSignal.timeout(60_000));
});

afterAll(async () => {
  api.close();
  await controlPlane.stop();
  await rm(empty, { recursive: true });
});

function create(kind: string, spec: unknown, version = 'v1beta1'): Promise<unknown> {
  const path = `/apis/${group}/${version}/namespaces/magnum-system/${kind.toLowerCase()}s?dryRun=All&fieldValidation=Strict`;
  return api.call('POST', path, { apiVersion: `${group}/${version}`, kind, metadata: { name: 'x' }, spec });
}

const identityRef = { name: 'kube-abcde-cloud-config', cloudName: 'default' };
const machine = {
  flavor: 'm1.large',
  identityRef,
  image: { id: '00000000-0000-0000-0000-000000000000' },
  rootVolume: { sizeGiB: 20, type: 'yes', availabilityZone: { name: 'nova' } },
  additionalBlockDevices: [{ name: 'etcd', sizeGiB: 5, storage: { type: 'Volume', volume: { type: 'ssd' } } }],
  serverGroup: { id: '1' },
  schedulerHintAdditionalProperties: [{ name: 'different_failure_domain', value: { type: 'Bool', bool: false } }],
  sshKeyName: '',
};
const cluster = {
  identityRef,
  managedSecurityGroups: {
    allowAllInClusterTraffic: true,
    allNodesSecurityGroupRules: [{ name: 'Node Port (TCP, anywhere)', direction: 'ingress', protocol: 'tcp' }],
  },
  managedSubnets: [{ cidr: '10.0.0.0/24', dnsNameservers: ['1.1.1.1'] }],
  externalNetwork: { id: '1' },
  apiServerLoadBalancer: { enabled: true, provider: 'ovn' },
};

test.each([
  ['OpenStackMachine', machine, 'v1beta1'],
  ['OpenStackMachineTemplate', { template: { spec: machine } }, 'v1beta1'],
  ['OpenStackServer', { ...machine, ports: [{ network: { id: '1' } }] }, 'v1alpha1'],
  ['OpenStackCluster', cluster, 'v1beta1'],
  ['OpenStackClusterTemplate', { template: { spec: cluster } }, 'v1beta1'],
])('the compact %s takes what the driver writes', async (kind, spec, version) => {
  expect(await create(kind, spec, version)).toMatchObject({ spec });
});

test.each([
  ['a number as flavor', { ...machine, flavor: 1 }, 'spec.flavor'],
  ['a size as text', { ...machine, rootVolume: { sizeGiB: '20' } }, 'spec.rootVolume.sizeGiB'],
  ['no image', { ...machine, image: undefined }, 'spec.image'],
  ['two block devices of one name', doubled(), 'spec.additionalBlockDevices[1]'],
])('the compact OpenStackMachine refuses %s', async (_, spec, field) => {
  await expect(create('OpenStackMachine', spec)).rejects.toThrow(field);
});

test('fields that the compact definitions do not name pass, and defaults are filled in', async () => {
  const spec = { ...machine, floatingIPPoolRef: { kind: 'Pool', name: 'x' } };
  expect(await create('OpenStackMachine', spec)).toMatchObject({
    spec: { floatingIPPoolRef: { name: 'x' }, identityRef: { type: 'Secret' } },
  });
});

test('CAPO_CRDS_DIR comes first, and an empty one is an error', async () => {
  const [definition] = compactCapoDefinitions();
  await expect(readCapoDefinitions({ CAPO_CRDS_DIR: empty })).rejects.toThrow('has no CustomResourceDefinition');
  await writeFile(join(empty, 'one.yaml'), JSON.stringify(definition));
  const { kind, source, definitions } = await readCapoDefinitions({ CAPO_CRDS_DIR: empty });
  expect({ kind, source }).toEqual({ kind: 'strict', source: empty });
  expect(definitions.map(({ metadata }) => metadata)).toEqual([
    { name: `openstackclusters.${group}`, labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' } },
  ]);
});

function doubled() {
  return { ...machine, additionalBlockDevices: [...machine.additionalBlockDevices, ...machine.additionalBlockDevices] };
}
