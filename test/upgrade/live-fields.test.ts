import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { resources, resourceTypeOf } from '../../shared/kubernetes/resources.ts';
import { clusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { objectsOf } from '../functions/live-objects.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';
import { notesOf, overridesOf, type RunningCluster, rejected, runningCluster, variablesOf } from './running-cluster.ts';

const stage = stageOfFile();

/** Labels and fields that ask for another network and another way to the API than any cluster here has. */
const contradiction = {
  labels: {
    octavia_provider: 'ovn',
    api_server_lb_flavor: 'huge',
    api_server_lb_availability_zone: 'az9',
    master_lb_floating_ip_enabled: 'false',
    fixed_subnet_cidr: '192.168.99.0/24',
  },
  template: { dns_nameserver: '9.9.9.9', external_network_id: 'elsewhere' },
  cluster: { master_lb_enabled: false, fixed_network: 'nowhere', fixed_subnet: 'never', keypair: 'lost' },
};

/** An upgrade by a Magnum whose rows contradict what lives. */
function contradictingUpgrade({ magnum }: RunningCluster, version: string) {
  const event = magnum.upgrade(version);
  const { cluster, cluster_template } = event.data;
  const labels = { ...Object(cluster.labels), ...contradiction.labels };
  return {
    ...event,
    data: {
      ...event.data,
      cluster: { ...cluster, ...contradiction.cluster, labels },
      cluster_template: { ...cluster_template, ...contradiction.template },
    },
  };
}

const openStackCluster = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.record(z.string(), z.unknown()),
});

async function infrastructure(name: string) {
  const [found] = await objectsOf(stage().kubernetes, resources.openStackCluster, name);
  return openStackCluster.parse(found);
}

async function setPaused(name: string, value: boolean): Promise<void> {
  const operations = [{ op: 'add', path: '/spec/paused', value }] as const;
  await stage().kubernetes.patch(resources.cluster, { namespace, name }, { operations });
}

/** Makes the OpenStackCluster another than the class makes it, as an older class or CAPO's conversion may have left it. */
async function reshape({ name }: RunningCluster, change: (spec: Record<string, unknown>) => object): Promise<object> {
  await setPaused(name, true);
  const found = await infrastructure(name);
  const spec = change({ ...found.spec });
  const operations = [{ op: 'replace', path: '/spec', value: spec }] as const;
  await stage().kubernetes.patch(resources.openStackCluster, { namespace, name: found.metadata.name }, { operations });
  return (await infrastructure(name)).spec;
}

describe('what lives of a cluster is kept against all labels', () => {
  test.each<[string, (spec: Record<string, unknown>) => object]>([
    ['as the class made it', (spec) => spec],
    ['without a load balancer', ({ apiServerLoadBalancer: _, ...spec }) => spec],
    [
      'with all there is',
      (spec) => ({
        ...spec,
        apiServerLoadBalancer: { enabled: false, provider: 'amphora', flavor: 'small', availabilityZone: 'az1' },
        apiServerFloatingIP: '203.0.113.7',
        disableAPIServerFloatingIP: false,
        managedSubnets: [{ cidr: '10.77.0.0/24', dnsNameservers: ['1.1.1.1', '8.8.8.8'] }],
        tags: ['by-hand'],
      }),
    ],
    [
      "with a network of the user's own",
      ({ managedSubnets: _, ...spec }) => ({
        ...spec,
        network: { id: 'c1d5a1a0-0b64-4a10-93a4-3f62a1f0d002' },
        subnets: [{ id: 'c1d5a1a0-0b64-4a10-93a4-3f62a1f0d003' }],
        disableAPIServerFloatingIP: true,
      }),
    ],
  ])('%s', async (_title, change) => {
    const cluster = await runningCluster(stage());
    const before = await reshape(cluster, change);
    acceptedStackId(await stage().send(contradictingUpgrade(cluster, 'v1.33.4')));
    await setPaused(cluster.name, false);
    await waitForTopology(stage().api, cluster.name);
    expect((await infrastructure(cluster.name)).spec).toEqual(before);
    expect(variablesOf(await cluster.read())['sshKeyName']).toBe('mykey');
  });

  test('or the upgrade is refused, where the class cannot write it', async () => {
    const cluster = await runningCluster(stage());
    await reshape(cluster, ({ managedSubnets: _, ...spec }) => ({ ...spec, network: { filter: { name: 'private' } } }));
    expect(await rejected(stage(), cluster, contradictingUpgrade(cluster, 'v1.33.4'))).toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/^The driver's class cannot keep spec\.network\S* of OpenStackCluster kube-/),
    });
  });
});

const classObject = z.looseObject({
  metadata: z.unknown(),
  spec: z.looseObject({
    variables: z.array(z.looseObject({ name: z.string() })).optional(),
    patches: z.array(z.looseObject({})).optional(),
  }),
});

/** The class of another driver, which knows only some of the variables, and templates that have its name too. */
async function olderClass(name: string, forgotten: readonly string[]): Promise<void> {
  const own = clusterClassSet('0.0.1');
  const isKnown = (part: object) => !forgotten.some((word) => JSON.stringify(part).includes(word));
  for (const object of own.objects) {
    // As the original's class has it: were the patch left out, the load balancer would go before the upgrade looks.
    const text = JSON.stringify(object).replaceAll('{{ .apiServerLoadBalancerManaged }}', 'true');
    const renamed: unknown = JSON.parse(text.replaceAll(own.name, name));
    const { metadata: _, spec, ...type } = classObject.parse(renamed);
    const { variables, patches, ...others } = spec;
    const lists = { variables: variables?.filter(isKnown), patches: patches?.filter(isKnown) };
    const copy = { ...type, metadata: { name, namespace }, spec: { ...others, ...lists } };
    await stage().kubernetes.create(resourceTypeOf(object), copy);
  }
}

test('a cluster of an older class gets all variables of the new one', async () => {
  const cluster = await runningCluster(stage());
  const forgotten = [
    'nodeTaints',
    'nodeLabels',
    'apiServerLoadBalancerManaged',
    'enableKubeletServingCertificateVerification',
    'sshKeyName',
    'isServerGroupDiffFailureDomain',
  ];
  await olderClass('magnum-v0.38.1', forgotten);
  const before = await cluster.read();
  const isKnown = ({ name }: { readonly name: string }) => !forgotten.includes(name);
  const { topology } = before.spec;
  const machineDeployments = topology.workers?.machineDeployments?.map((entry) => ({
    ...entry,
    variables: { overrides: entry.variables?.overrides?.filter(isKnown) },
  }));
  const older = {
    ...topology,
    classRef: { name: 'magnum-v0.38.1' },
    variables: topology.variables.filter(isKnown),
    workers: { machineDeployments },
  };
  const operations = [
    { op: 'replace', path: '/spec/topology', value: older },
    { op: 'remove', path: '/metadata/labels/app.kubernetes.io~1managed-by' },
    { op: 'replace', path: '/metadata/labels/cni', value: 'calico-v3.24.2' },
    { op: 'remove', path: '/metadata/annotations' },
  ] as const;
  await stage().kubernetes.patch(resources.cluster, { namespace, name: cluster.name }, { operations });
  const notes = notesOf(await stage().send(cluster.magnum.upgrade('v1.33.4')));
  const after = await cluster.read();
  expect(notes).toEqual([
    `The cluster moves to class ${after.spec.topology.classRef.name}: all its machines may be rebuilt.`,
  ]);
  expect(after.spec.topology).toEqual(topology);
  expect(overridesOf(after, 'default-worker')).toEqual(overridesOf(before, 'default-worker'));
  expect(after.metadata.labels).toEqual(before.metadata.labels);
  expect(Object.keys(after.metadata.annotations ?? {})).toEqual(
    expect.arrayContaining(['magnum.openstack.org/operation', 'magnum.openstack.org/autoscaler-image-repository']),
  );
});
