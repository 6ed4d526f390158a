import { expect, inject, test, vi } from 'vitest';
import { resources } from '../../../shared/kubernetes/resources.ts';
import { type CapoStage, capoStageOfFile, conditionsOf, type Viewed } from './capo-stage.ts';
import { pathOf } from './infrastructure-objects.ts';

const stage = capoStageOfFile();
const { openStackCluster, openStackMachine, openStackMachineTemplate, openStackServer } = resources;
const limit = { timeout: 30_000, interval: 100 };

async function waitUntil(read: () => Promise<Viewed>, expected: object): Promise<Viewed> {
  return vi.waitFor(async () => {
    const object = await read();
    expect(object).toMatchObject(expected);
    return object;
  }, limit);
}

async function readyCluster(name: string, spec?: Readonly<Record<string, unknown>>): Promise<Viewed> {
  await stage().createCluster(name, spec);
  return waitUntil(() => stage().get(openStackCluster, name), { status: { ready: true } });
}

function well(...types: string[]): unknown[] {
  return types.map((type) => ({ type, status: 'True' }));
}

function waits(reason: string): unknown[] {
  return ['Ready', 'InstanceReady'].map((type) => ({ type, status: 'False', severity: 'Info', reason }));
}

/** Events, which all are Normal, come a little later than what they tell of. */
async function expectReasons(name: string, expected: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const events = await stage().events(name);
    expect(events.map((event) => /^Normal (\w+): /.exec(event)?.[1] ?? event)).toEqual(expected);
  }, limit);
}

function named<T extends { readonly name: string }>(things: readonly T[], part: string): T[] {
  return things.filter(({ name }) => name.includes(part));
}

test('An OpenStackCluster comes up and goes', async () => {
  const cluster = await readyCluster('whole');
  const base = `k8s-clusterapi-cluster-${stage().namespace}-whole`;
  const network = { name: base, subnets: [{ name: base, cidr: '10.0.0.0/24' }] };
  expect(cluster).toMatchObject({
    metadata: { finalizers: ['openstackcluster.infrastructure.cluster.x-k8s.io'] },
    spec: { controlPlaneEndpoint: stage().capo.workloadCluster('whole')?.endpoint },
    status: {
      initialization: { provisioned: true },
      network,
      externalNetwork: { name: 'public' },
      router: { name: base },
      apiServerLoadBalancer: {
        name: `${base}-kubeapi`,
        ip: '127.0.0.1',
        internalIP: '10.0.0.5',
        loadBalancerNetwork: network,
      },
      failureDomains: { nova: { controlPlane: true } },
    },
  });
  const steps = ['APIEndpointReady', 'NetworkReady', 'RouterReady', 'SecurityGroupsReady'];
  expect(conditionsOf(cluster)).toEqual(well('Ready', ...steps));
  const { state } = stage().cloud;
  expect(named(state.networks, base)).toHaveLength(1);
  expect(named(state.loadBalancers, base)).toMatchObject([{ provisioningStatus: 'ACTIVE' }]);

  await stage().remove(resources.cluster, 'whole');
  await stage().gone(openStackCluster, 'whole');
  const left = [...state.networks, ...state.subnets, ...state.loadBalancers];
  expect(named<{ readonly name: string }>(left, base)).toEqual([]);
  expect(stage().capo.workloadCluster('whole')).toBeUndefined();
  await expectReasons('whole', [
    'Successfulcreatenetwork',
    'Successfulcreatesubnet',
    'Successfulcreaterouter',
    'Successfulcreatesecuritygroup',
    'Successfulcreatesecuritygroup',
    'Successfulcreateloadbalancer',
    'Successfulcreatefloatingip',
    'Successfulassociatefloatingip',
    'Successfulcreatelistener',
    'Successfulcreatepool',
    'Successfulcreatemonitor',
    'Successfuldisassociatefloatingip',
    'Successfuldeletefloatingip',
    'Successfuldeleteloadbalancer',
    'Successfuldeleterouter',
    'Successfuldeletenetwork',
    'Successfuldeletesecuritygroup',
    'Successfuldeletesecuritygroup',
  ]);
});

test('An OpenStackMachine of a control plane says nothing of its server until that is ready', async () => {
  await readyCluster('steps');
  const machine = () => stage().get(openStackMachine, 'steps-m');
  const server = () => stage().get(openStackServer, 'steps-m');
  await stage().createMachine('steps', 'steps-m', { isControlPlane: true });
  const early = await waitUntil(machine, { status: { conditions: [{}, {}] } });
  expect(conditionsOf(early)).toEqual(waits('WaitingForBootstrapData'));
  expect(early.metadata).not.toHaveProperty('finalizers');

  const build = stage().capo.faults.set({ kind: 'stays-in-build', cluster: 'steps' });
  await stage().bootstrap('steps-m');
  const building = await waitUntil(server, { status: { instanceState: 'BUILD' } });
  expect(conditionsOf(building)).toEqual([]);
  expect(building.status).toMatchObject(inject('capoCrds') === 'strict' ? { ready: false } : {});
  expect(conditionsOf(await machine())).toEqual(waits('WaitingForBootstrapData'));

  build();
  const ready = await waitUntil(machine, { status: { ready: true } });
  const [instance] = named(stage().cloud.state.servers, 'steps-m');
  expect(ready).toMatchObject({
    metadata: { finalizers: ['openstackmachine.infrastructure.cluster.x-k8s.io'] },
    spec: { providerID: `openstack:///${instance?.id}` },
    status: {
      instanceID: instance?.id,
      initialization: { provisioned: true },
      addresses: [
        { type: 'InternalIP', address: '10.0.0.10' },
        { type: 'InternalDNS', address: 'steps-m' },
      ],
    },
  });
  expect(conditionsOf(ready)).toEqual(well('Ready', 'APIServerIngressReadyCondition', 'InstanceReady'));
  const active = await server();
  expect(active.status).toMatchObject({ ready: true, instanceState: 'ACTIVE', instanceID: instance?.id });
  expect(conditionsOf(active)).toEqual(well('Ready', 'InstanceReady'));
  await vi.waitFor(() => expect(stage().machineLog).toContain('boot steps-m'), limit);
});

test('A worker waits for the infrastructure of its cluster, and goes server first', async () => {
  const blocked = stage().capo.faults.set({ kind: 'infrastructure-fails', part: 'network', cluster: 'work' });
  await stage().createCluster('work');
  await stage().createMachine('work', 'work-w');
  const machine = () => stage().get(openStackMachine, 'work-w');
  await vi.waitFor(async () => {
    expect(conditionsOf(await machine())).toEqual(waits('WaitingForClusterInfrastructure'));
  }, limit);
  blocked();
  await stage().bootstrap('work-w');
  const ready = await waitUntil(machine, { status: { ready: true } });
  expect(conditionsOf(ready)).toEqual(well('Ready', 'InstanceReady'));

  const slow = stage().capo.faults.set({ kind: 'slow-deletion', machine: /^work-w$/ });
  await stage().remove(resources.machine, 'work-w');
  await waitUntil(() => stage().get(openStackServer, 'work-w'), {
    metadata: { deletionTimestamp: expect.any(String) },
  });
  await vi.waitFor(() => {
    expect(named(stage().cloud.state.servers, 'work-w')).toMatchObject([{ taskState: 'deleting', status: 'ACTIVE' }]);
  }, limit);
  expect((await machine()).metadata).toMatchObject({ finalizers: [expect.stringContaining('openstackmachine')] });
  slow();
  await stage().gone(openStackServer, 'work-w');
  await stage().gone(openStackMachine, 'work-w');
  expect(named(stage().cloud.state.servers, 'work-w')).toEqual([]);
  expect(stage().machineLog.filter((line) => line.endsWith(' work-w'))).toEqual(['boot work-w', 'power off work-w']);
  await expectReasons('work-w', [
    'Successfulcreateport',
    'Successfulcreateserver',
    'Successfuldeleteserver',
    'Successfuldeleteport',
  ]);
});

test('An OpenStackServer has what its OpenStackMachine and its cluster say', async () => {
  const { networks, subnets, images } = stage().cloud.state;
  const network = networks.find(({ name }) => name === 'private');
  const subnet = subnets.find(({ networkId }) => networkId === network?.id);
  const own = { managedSubnets: undefined, network: { id: network?.id }, subnets: [{ id: subnet?.id }] };
  const cluster = await readyCluster('spec', { ...own, tags: ['shared', 'cluster'] });
  const spec = { tags: ['machine', 'shared'], image: { filter: { name: images[0]?.name } }, sshKeyName: undefined };
  await stage().createMachine('spec', 'spec-w', { spec });
  await stage().bootstrap('spec-w');
  const server = await waitUntil(() => stage().get(openStackServer, 'spec-w'), { status: { ready: true } });
  const group = Object(cluster.status['workerSecurityGroup']).id;
  expect(server.spec).toEqual({
    flavor: 'm1.medium',
    identityRef: { name: 'spec-cloud-config', cloudName: 'default', type: 'Secret' },
    image: { filter: { name: images[0]?.name } },
    ports: [
      {
        network: { id: network?.id },
        fixedIPs: [{ subnet: { id: subnet?.id } }],
        securityGroups: [{ id: group }],
      },
    ],
    sshKeyName: '',
    tags: ['machine', 'shared', 'cluster'],
    userDataRef: { name: 'spec-w-bootstrap' },
  });
  expect(server.status).toMatchObject({ resolved: { imageID: images[0]?.id, flavorID: '2' } });
});

test('A template of a cluster says what its machines will have', async () => {
  await readyCluster('sized');
  const { uid } = (await stage().get(resources.cluster, 'sized')).metadata;
  const { namespace, api } = stage();
  const owner = { apiVersion: resources.cluster.apiVersion, kind: 'Cluster', name: 'sized', uid };
  const image = { id: stage().cloud.state.images[0]?.id };
  await api.call('POST', pathOf(openStackMachineTemplate, namespace), {
    apiVersion: openStackMachineTemplate.apiVersion,
    kind: 'OpenStackMachineTemplate',
    metadata: { name: 'sized', namespace, ownerReferences: [owner] },
    spec: { template: { spec: { flavor: 'm1.medium', image, rootVolume: { sizeGiB: 30 } } } },
  });
  const capacity = { cpu: '2', memory: '4Gi', storage: '30Gi' };
  await waitUntil(() => stage().get(openStackMachineTemplate, 'sized'), { status: { capacity } });
});

test('A paused cluster is left alone', async () => {
  await pausedCluster(stage());
  const { api, namespace } = stage();
  expect((await stage().get(openStackCluster, 'paused')).metadata).not.toHaveProperty('finalizers');
  await api.call('PATCH', pathOf(resources.cluster, namespace, 'paused'), { spec: { paused: false } });
  await waitUntil(() => stage().get(openStackCluster, 'paused'), { status: { ready: true } });
});

/** Another cluster's whole life shows that the paused one had its chance. */
async function pausedCluster({ createCluster, api, namespace }: CapoStage): Promise<void> {
  await createCluster('paused', {});
  await api.call('PATCH', pathOf(resources.cluster, namespace, 'paused'), { spec: { paused: true } });
  await readyCluster('running');
}
