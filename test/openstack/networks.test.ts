import { findNetwork, findSubnet } from 'openstack-client-ts';
import { onBothClouds } from './both-clouds.ts';
import type { CloudUnderTest } from './cloud-under-test.ts';

function network(name: string, options: { readonly external?: boolean } = {}) {
  return async ({ demo }: CloudUnderTest) => {
    const { subnetIds, ...found } = await findNetwork(demo, name, options);
    return { ...found, subnets: subnetIds.length };
  };
}

function subnet(name: string) {
  return ({ demo }: CloudUnderTest) => findSubnet(demo, name);
}

onBothClouds([
  {
    title: 'a network is found by name',
    ask: network('private'),
    answer: { id: '<id>', name: 'private', external: false, subnets: 3 },
  },
  {
    title: 'a network is found by id',
    ask: async (cloud) => network((await findNetwork(cloud.demo, 'private')).id)(cloud),
    answer: { id: '<id>', name: 'private', external: false, subnets: 3 },
  },
  {
    title: 'an id in capital letters is the same id',
    ask: async (cloud) => network((await findNetwork(cloud.demo, 'private')).id.toUpperCase())(cloud),
    answer: { id: '<id>', name: 'private', external: false, subnets: 3 },
  },
  {
    title: 'an external network of another project is found',
    ask: network('public', { external: true }),
    answer: { id: '<id>', name: 'public', external: true, subnets: 1 },
  },
  {
    title: 'a tenant network of the same name is told apart',
    ask: network('public', { external: false }),
    answer: { id: '<id>', name: 'public', external: false, subnets: 0 },
  },
  {
    title: 'without the filter the two are ambiguous',
    ask: network('public'),
    answer:
      'AmbiguousError ambiguous -: There are 2 networks with the name "public": give the id instead (<id>, <id>).',
  },
  {
    title: 'an external network is no tenant network',
    ask: async (cloud) =>
      network((await findNetwork(cloud.demo, 'public', { external: true })).id, { external: false })(cloud),
    answer: 'NotFoundError not_found -: There is no tenant network with the name or id "<id>".',
  },
  {
    title: 'a tenant network is no external network',
    ask: network('private', { external: true }),
    answer: 'NotFoundError not_found -: There is no external network with the name or id "private".',
  },
  {
    title: 'two of one name are ambiguous',
    ask: network('twice'),
    answer: 'AmbiguousError ambiguous -: There are 2 networks with the name "twice": give the id instead (<id>, <id>).',
  },
  {
    title: 'many of one name are counted over all pages',
    ask: network('many'),
    answer:
      'AmbiguousError ambiguous -: There are 13 networks with the name "many": give the id instead (<id>, <id>, <id>, …).',
  },
  {
    title: 'a name of any characters is found',
    ask: network('größe: "1", 2'),
    answer: { id: '<id>', name: 'größe: "1", 2', external: false, subnets: 0 },
  },
  {
    title: 'a name that looks like an id is found',
    ask: network('22222222-2222-4222-8222-222222222222'),
    answer: { id: '<id>', name: '<id>', external: false, subnets: 0 },
  },
  {
    title: "another project's tenant network is not there",
    ask: network('foreign'),
    answer: 'NotFoundError not_found -: There is no network with the name or id "foreign".',
  },
  {
    title: 'an unknown network is named',
    ask: network('none'),
    answer: 'NotFoundError not_found -: There is no network with the name or id "none".',
  },
  {
    title: 'another case is another name',
    ask: network('PRIVATE'),
    answer: 'NotFoundError not_found -: There is no network with the name or id "PRIVATE".',
  },
  {
    title: 'a space behind the name is another name',
    ask: network('private '),
    answer: 'NotFoundError not_found -: There is no network with the name or id "private".',
  },
  {
    title: 'characters beyond the basic plane are just not found',
    ask: network('private 😀'),
    answer: 'NotFoundError not_found -: There is no network with the name or id "private 😀".',
  },
  {
    title: 'a reader finds a network',
    ask: async ({ session }) => (await findNetwork(session('viewer'), 'private')).name,
    answer: 'private',
  },
  {
    title: 'a user without a known role finds external networks',
    ask: async ({ session }) => (await findNetwork(session('stranger'), 'public')).name,
    answer: 'public',
  },
  {
    title: 'a user without a known role finds no tenant network',
    ask: async ({ session }) => (await findNetwork(session('stranger'), 'private')).name,
    answer: 'NotFoundError not_found -: There is no network with the name or id "private".',
  },
  {
    title: 'a subnet is found by name',
    ask: subnet('private-subnet'),
    answer: { id: '<id>', name: 'private-subnet', networkId: '<id>', cidr: '10.0.0.0/24', ipVersion: 4 },
  },
  {
    title: 'a subnet is found by id',
    ask: async ({ demo }) => findSubnet(demo, (await findSubnet(demo, 'private-subnet')).id),
    answer: { id: '<id>', name: 'private-subnet', networkId: '<id>', cidr: '10.0.0.0/24', ipVersion: 4 },
  },
  {
    title: 'a subnet of IPv6 is told',
    ask: subnet('six'),
    answer: { id: '<id>', name: 'six', networkId: '<id>', cidr: '2001:db8::/64', ipVersion: 6 },
  },
  {
    title: 'two subnets of one name are ambiguous',
    ask: subnet('same-subnet'),
    answer:
      'AmbiguousError ambiguous -: There are 2 subnets with the name "same-subnet": give the id instead (<id>, <id>).',
  },
  {
    title: 'within one network a subnet of that name is found',
    ask: async ({ demo }) => findSubnet(demo, 'same-subnet', { networkId: (await findNetwork(demo, 'second')).id }),
    answer: { id: '<id>', name: 'same-subnet', networkId: '<id>', cidr: '10.0.2.0/24', ipVersion: 4 },
  },
  {
    title: 'within another network a subnet is not there',
    ask: async ({ demo }) => findSubnet(demo, 'private-subnet', { networkId: (await findNetwork(demo, 'second')).id }),
    answer: 'NotFoundError not_found -: There is no subnet with the name or id "private-subnet".',
  },
  {
    title: 'within a network that does not exist no subnet is there',
    ask: ({ demo }) => findSubnet(demo, 'private-subnet', { networkId: 'none' }),
    answer: 'NotFoundError not_found -: There is no subnet with the name or id "private-subnet".',
  },
  {
    title: 'a subnet of an external network of another project is not there',
    ask: subnet('public-subnet'),
    answer: { id: '<id>', name: 'public-subnet', networkId: '<id>', cidr: '203.0.113.0/24', ipVersion: 4 },
  },
  {
    title: "another project's subnet is not there",
    ask: subnet('foreign-subnet'),
    answer: 'NotFoundError not_found -: There is no subnet with the name or id "foreign-subnet".',
  },
]);
