import type { Session } from 'openstack-client-ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { exampleIntent, exampleNodegroup } from '../../test/render/example-intent.ts';
import { DependencyError, RejectedError } from '../contract/errors.ts';
import type { ClusterIntent, NodegroupIntent } from '../magnum/cluster-intent.ts';
import { resolveCloudFacts } from './cloud-facts.ts';

let cloud: SimulatedOpenStack;
let session: Session;

beforeAll(async () => {
  cloud = await startSimulatedOpenStack();
  cloud.state.flavors.push({ id: 'swapping', name: 'swapping', vcpus: 1, ram: 1024, disk: 10, swap: 512 });
  cloud.state.flavors.push({ id: 'scratch', name: 'scratch', vcpus: 1, ram: 1024, disk: 10, ephemeral: 20 });
  const [image] = cloud.state.images;
  if (image === undefined) throw new Error('The simulated cloud has images.');
  cloud.state.images.push({ ...image, id: 'big', name: 'big', min_disk: 100 });
  cloud.state.images.push({ ...image, id: 'queued', name: 'queued', status: 'queued' });
});

beforeEach(() => {
  session = demoSession(cloud, { retry: { limit: 0 } });
});

afterEach(() => {
  session.close();
  cloud.faults.clear();
});

afterAll(() => cloud.stop());

const image = 'ubuntu-2204-kube-v1.30';
const none = { size: 0, type: null };

/** The plainest cluster that the simulated cloud can carry. */
function intent(changes: Partial<ClusterIntent> = {}, worker: Partial<NodegroupIntent> = {}): ClusterIntent {
  const base = exampleIntent();
  return exampleIntent({
    keypair: null,
    controlPlane: { ...base.controlPlane, flavor: 'm1.medium', image },
    workers: [exampleNodegroup({ flavor: 'm1.large', image, ...worker })],
    network: { ...base.network, externalNetwork: 'public', fixedNetwork: null, fixedSubnet: null },
    bootVolume: none,
    dockerVolume: none,
    etcdVolume: none,
    ...changes,
  });
}

async function faultsOf(wanted: ClusterIntent): Promise<readonly { field?: string; message: string }[]> {
  const error = await resolveCloudFacts(session, wanted).catch((thrown: unknown) => thrown);
  if (!(error instanceof RejectedError)) throw new Error('It was not rejected.', { cause: error });
  return error.faults;
}

describe('the facts of a cluster', () => {
  test('are what the names mean in the cloud', async () => {
    const facts = await resolveCloudFacts(session, intent());
    const known = cloud.state.images.find(({ name }) => name === image);
    expect(facts).toEqual({
      flavors: {
        'm1.medium': { name: 'm1.medium', vcpus: 2, ram: 4096, disk: 40 },
        'm1.large': { name: 'm1.large', vcpus: 4, ram: 8192, disk: 80 },
      },
      images: { [image]: { id: known?.id, diskBus: 'scsi' } },
      defaultVolumeType: '',
      externalNetworkId: cloud.state.networks.find(({ name }) => name === 'public')?.id,
      fixedNetworkId: null,
      fixedSubnetId: null,
    });
  });

  test('have the default volume type only where a volume names none', async () => {
    const facts = await resolveCloudFacts(session, intent({ etcdVolume: { size: 5, type: null } }));
    expect(facts.defaultVolumeType).toBe(cloud.state.defaultVolumeType);
  });

  test('have no default volume type where the cloud has none', async () => {
    const { defaultVolumeType } = cloud.state;
    cloud.state.defaultVolumeType = null;
    const facts = await resolveCloudFacts(session, intent({ etcdVolume: { size: 5, type: null } }));
    cloud.state.defaultVolumeType = defaultVolumeType;
    expect(facts.defaultVolumeType).toBe('');
  });

  test('find a fixed network and its subnet by name', async () => {
    const subnet = cloud.state.subnets[0];
    const network = cloud.state.networks.find(({ id }) => id === subnet?.networkId);
    const fixed = { fixedNetwork: network?.name ?? '', fixedSubnet: subnet?.name ?? '' };
    const facts = await resolveCloudFacts(session, intent({ network: { ...intent().network, ...fixed } }));
    expect(facts).toMatchObject({ fixedNetworkId: network?.id, fixedSubnetId: subnet?.id });
  });

  test('cost one call for flavors and one for images, however many nodegroups there are', async () => {
    const workers = ['a', 'b', 'c'].map((name) => exampleNodegroup({ name, flavor: 'm1.large', image }));
    cloud.requests.length = 0;
    await resolveCloudFacts(session, intent({ workers }));
    const paths = cloud.requests.map(({ path }) => path.split('/').at(-1));
    expect(paths.toSorted()).toEqual(['detail', 'images', 'networks', 'tokens']);
  });
});

describe('a cluster is rejected', () => {
  test.each([
    ['for an image that is not active', intent({}, { image: 'queued' }), 'is queued'],
    ['for an image that needs a larger disk', intent({}, { image: 'big' }), 'needs a disk of 100 GiB'],
    ['for a flavor without disk', intent({}, { flavor: 'diskless' }), 'has no disk'],
    [
      'for a flavor with swap beside a docker volume',
      intent({}, { flavor: 'swapping', dockerVolume: { size: 5, type: null } }),
      'ephemeral or swap disk',
    ],
    [
      'for a flavor with an ephemeral disk beside a docker volume',
      intent({}, { flavor: 'scratch', dockerVolume: { size: 5, type: null } }),
      'ephemeral or swap disk',
    ],
  ])('%s', async (_title, wanted, words) => {
    const faults = await faultsOf(wanted);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.message).toContain(words);
    expect(faults[0]?.field).toContain('nodegroups.default-worker.');
  });

  test('for a subnet of another network', async () => {
    const network = { ...intent().network, fixedNetwork: 'public', fixedSubnet: cloud.state.subnets[0]?.name ?? '' };
    expect(await faultsOf(intent({ network }))).toMatchObject([{ field: 'cluster.fixed_subnet' }]);
  });

  test('for a volume when the cloud has no block storage', async () => {
    const { services } = cloud.state;
    cloud.state.services = services.filter(({ type }) => !type.includes('volume') && !type.includes('block'));
    const faults = await faultsOf(intent({ etcdVolume: { size: 5, type: 'ssd' } }));
    cloud.state.services = services;
    expect(faults).toMatchObject([{ code: 'not_found', field: 'labels.etcd_volume_type' }]);
  });
});

describe('a cluster is accepted', () => {
  test.each([
    [
      'with a flavor without disk but a boot volume',
      intent({}, { flavor: 'diskless', bootVolume: { size: 20, type: 'ssd' } }),
    ],
    ['with a flavor with swap and no extra volumes', intent({}, { flavor: 'swapping' })],
    [
      'with a boot volume as large as the image needs',
      intent({}, { image: 'big', bootVolume: { size: 100, type: null } }),
    ],
  ])('%s', async (_title, wanted) => {
    await expect(resolveCloudFacts(session, wanted)).resolves.toBeDefined();
  });
});

test('a service in trouble is no fault of the user', async () => {
  cloud.faults.inject({ service: 'image', status: 503 });
  await expect(resolveCloudFacts(session, intent())).rejects.toThrow(DependencyError);
});
