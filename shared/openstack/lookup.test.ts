import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { findFlavor, getKeypair, getServer, listFlavors, listServers, matchFlavor } from './compute.ts';
import { AmbiguousError, NotFoundError } from './errors.ts';
import { findImage } from './image.ts';
import { findNetwork, findSubnet } from './network.ts';
import { findServerGroup } from './server-group.ts';
import type { Session } from './session.ts';

let cloud: SimulatedOpenStack;
let session: Session;

beforeAll(async () => {
  cloud = await startSimulatedOpenStack({ pageLimit: 3 });
  session = demoSession(cloud);
  await session.authentication();
});

beforeEach(() => {
  cloud.requests.length = 0;
});

afterAll(() => {
  session.close();
  return cloud.stop();
});

test('A flavor is found by name and by id, several of them in one list', async () => {
  const flavors = await listFlavors(session);
  expect(matchFlavor(flavors, 'm1.large')).toEqual({
    id: '3',
    name: 'm1.large',
    vcpus: 4,
    ram: 8192,
    disk: 80,
    ephemeral: 0,
    swap: 0,
  });
  expect(matchFlavor(flavors, '4')).toMatchObject({ name: 'diskless', disk: 0 });
  expect(cloud.requests.map(({ query }) => query)).toEqual(['?is_public=None', '?is_public=None&marker=3']);
});

test('An id wins over the same text as a name', async () => {
  cloud.state.flavors.push({ id: 'x', name: '1', vcpus: 1, ram: 1, disk: 1 });
  expect((await findFlavor(session, '1')).name).toBe('m1.small');
  cloud.state.flavors.pop();
});

test('An image is found by name in one call and by id in one', async () => {
  const image = await findImage(session, 'ubuntu-2204-kube-v1.30');
  expect(image).toMatchObject({ status: 'active', properties: { os_distro: 'ubuntu', hw_disk_bus: 'scsi' } });
  expect(await findImage(session, image.id)).toEqual(image);
  expect(cloud.requests.map(({ path }) => path)).toEqual(['/image/v2/images', `/image/v2/images/${image.id}`]);
});

test('A name that looks like an id is found as a name', async () => {
  const name = '11111111-1111-4111-8111-111111111111';
  const [image] = cloud.state.images;
  const [network] = cloud.state.networks;
  cloud.state.images.push({ ...image!, id: '2', name });
  cloud.state.networks.push({ ...network!, id: '3', name });
  expect([(await findImage(session, name)).id, (await findNetwork(session, name)).id]).toEqual(['2', '3']);
  cloud.state.images.pop();
  cloud.state.networks.pop();
});

test('An id in capital letters is the same id', async () => {
  const [image] = cloud.state.images;
  const [network] = cloud.state.networks;
  expect((await findImage(session, image!.id.toUpperCase())).id).toBe(image!.id);
  expect((await findNetwork(session, network!.id.toUpperCase())).id).toBe(network!.id);
});

test('Several things with one name are refused with their ids', async () => {
  const error = await findImage(session, 'same-name').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AmbiguousError);
  const ids = cloud.state.images.filter(({ name }) => name === 'same-name').map(({ id }) => id);
  expect(error).toMatchObject({ ids });
  expect(String(error)).toContain(
    `There are 2 images with the name "same-name": give the id instead (${ids.join(', ')}).`,
  );
});

test('Ten of one name are counted over all pages, and three of their ids are told', async () => {
  const [image] = cloud.state.images;
  const many = Array.from({ length: 10 }, (_, index) => ({ ...image!, id: `id-${index}`, name: 'many' }));
  cloud.state.images.push(...many);
  await expect(findImage(session, 'many')).rejects.toThrow('There are 10 images');
  await expect(findImage(session, 'many')).rejects.toThrow('(id-0, id-1, id-2, …)');
  cloud.state.images.splice(-10);
});

test('External and tenant networks of one name are told apart', async () => {
  const [external, tenant] = cloud.state.networks;
  cloud.state.networks.push({ ...tenant!, id: 'tenant-public', name: 'public' });
  expect((await findNetwork(session, 'public', { external: true })).id).toBe(external!.id);
  expect((await findNetwork(session, 'public', { external: false })).id).toBe('tenant-public');
  await expect(findNetwork(session, 'public')).rejects.toThrow('There are 2 networks with the name "public"');
  cloud.state.networks.pop();
  await expect(findNetwork(session, tenant!.id, { external: true })).rejects.toThrow(
    `There is no external network with the name or id "${tenant!.id}".`,
  );
});

test('A subnet is looked for in one network where that is given', async () => {
  const { id, subnetIds } = await findNetwork(session, 'private');
  const subnet = { id: subnetIds[0], name: 'private-subnet', networkId: id, cidr: '10.0.0.0/24', ipVersion: 4 };
  expect(await findSubnet(session, 'private-subnet', { networkId: id })).toEqual(subnet);
  const elsewhere = findSubnet(session, subnet.id!, { networkId: 'another' });
  await expect(elsewhere).rejects.toThrow('There is no subnet with the name or id');
});

test("The user's own keypair is read", async () => {
  expect(await getKeypair(session, 'mykey')).toMatchObject({ name: 'mykey', publicKey: 'ssh-ed25519 AAAA simulated' });
});

test('A server is read with its fault, and those in ERROR are listed over all pages', async () => {
  const projectId = cloud.state.projects[0]!.id;
  const fault = { code: 500, message: 'No valid host was found.', created: '2026-01-01T00:00:00Z' };
  const broken = { name: 'kube', status: 'ERROR', projectId, fault };
  cloud.state.servers = Array.from({ length: 7 }, (_, index) => ({ ...broken, id: `server-${index}` }));
  cloud.state.servers.push({ id: 'well', name: 'kube', status: 'ACTIVE', projectId, fault: null });
  expect(await getServer(session, 'server-3')).toEqual({ id: 'server-3', name: 'kube', status: 'ERROR', fault });
  expect((await getServer(session, 'well')).fault).toBeNull();
  expect(await listServers(session, { status: 'ERROR' })).toHaveLength(7);
  await expect(getServer(session, 'gone')).rejects.toThrow(NotFoundError);
});

const finders: [string, (name: string) => Promise<unknown>][] = [
  ['flavor', (name) => findFlavor(session, name)],
  ['image', (name) => findImage(session, name)],
  ['network', (name) => findNetwork(session, name)],
  ['subnet', (name) => findSubnet(session, name)],
  ['keypair', (name) => getKeypair(session, name)],
  ['server group', (name) => findServerGroup(session, name)],
];

const hostile = [
  '',
  '.',
  '..',
  '../images',
  'a/b',
  '?name=public',
  'a&b=c',
  '%2e%2e',
  '%',
  '#',
  'null',
  'ä\u0000b',
  '\ud800',
  'x'.repeat(10_000),
];

test.each(finders)('A %s of any hostile name is just not found, in one short line', async (noun, find) => {
  for (const name of hostile) {
    const error = await find(name).catch((thrown: unknown) => thrown);
    expect(error, name).toBeInstanceOf(NotFoundError);
    expect(String(error)).toMatch(
      new RegExp(`^NotFoundError: There is no ${noun} with the name or id ".{0,101}"\\.$`, 'u'),
    );
  }
});

test.each(['x'.repeat(10_000), '', 'a\0b'])('A name that no service can have is not asked for', async (name) => {
  await Promise.allSettled(
    [findFlavor, findImage, findNetwork, findSubnet, getKeypair].map((find) => find(session, name)),
  );
  expect(cloud.requests).toEqual([]);
});

test('Whatever its name, the right thing is found', async () => {
  const [image] = cloud.state.images;
  const [network] = cloud.state.networks;
  const userId = cloud.state.users[0]!.id;
  const anyName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
  const isUsable = (name: string): boolean => name !== '.' && name !== '..';
  await fc.assert(
    fc.asyncProperty(anyName.filter(isUsable), async (name) => {
      cloud.state.images = [image!, { ...image!, id: 'wanted', name }];
      cloud.state.networks = [network!, { ...network!, id: 'wanted', name }];
      cloud.state.keypairs = [{ name, userId, publicKey: 'wanted', fingerprint: '' }];
      expect((await findImage(session, name)).id).toBe('wanted');
      expect((await findNetwork(session, name)).id).toBe('wanted');
      expect((await getKeypair(session, name)).publicKey).toBe('wanted');
    }),
    { numRuns: 50, examples: [['eq:in:x'], ['public:'], ['a+b c%20'], ['a/../b']] },
  );
});
