import { findFlavor, listFlavors } from 'openstack-client-ts';
import { onBothClouds } from './both-clouds.ts';

onBothClouds([
  {
    title: 'a flavor is found by name',
    ask: ({ demo }) => findFlavor(demo, 'm1.small'),
    answer: { id: '1', name: 'm1.small', vcpus: 1, ram: 2048, disk: 20, ephemeral: 0, swap: 0 },
  },
  {
    title: 'a flavor is found by id',
    ask: ({ demo }) => findFlavor(demo, '3'),
    answer: { id: '3', name: 'diskless', vcpus: 2, ram: 4096, disk: 0, ephemeral: 0, swap: 0 },
  },
  {
    title: 'an id wins over the same text as a name',
    ask: ({ demo }) => findFlavor(demo, '1'),
    answer: { id: '1', name: 'm1.small', vcpus: 1, ram: 2048, disk: 20, ephemeral: 0, swap: 0 },
  },
  {
    title: 'extra disks are told',
    ask: ({ demo }) => findFlavor(demo, 'disks'),
    answer: { id: '4', name: 'disks', vcpus: 2, ram: 4096, disk: 40, ephemeral: 5, swap: 512 },
  },
  {
    title: 'a flavor that is shared with the project is found',
    ask: ({ demo }) => findFlavor(demo, 'demo-only'),
    answer: { id: 'demo-only', name: 'demo-only', vcpus: 8, ram: 8192, disk: 80, ephemeral: 0, swap: 0 },
  },
  {
    title: 'a flavor of another project is not there',
    ask: ({ demo }) => findFlavor(demo, 'other-only'),
    answer: 'NotFoundError not_found -: There is no flavor with the name or id "other-only".',
  },
  {
    title: 'a name of any characters is found',
    ask: ({ demo }) => findFlavor(demo, 'größe: "1"'),
    answer: { id: 'id with.dots', name: 'größe: "1"', vcpus: 1, ram: 1024, disk: 10, ephemeral: 0, swap: 0 },
  },
  {
    title: 'an unknown flavor is named',
    ask: ({ demo }) => findFlavor(demo, 'm1.none'),
    answer: 'NotFoundError not_found -: There is no flavor with the name or id "m1.none".',
  },
  {
    title: 'another case is another name',
    ask: ({ demo }) => findFlavor(demo, 'M1.SMALL'),
    answer: 'NotFoundError not_found -: There is no flavor with the name or id "M1.SMALL".',
  },
  {
    title: 'all pages are listed in order of their ids',
    ask: async ({ demo }) => (await listFlavors(demo)).map(({ id }) => id),
    answer: [
      '1',
      '2',
      '3',
      '4',
      'demo-only',
      'id with.dots',
      'like-an-id',
      'z10',
      'z11',
      'z12',
      'z13',
      'z14',
      'z15',
      'z16',
      'z17',
      'z18',
      'z19',
      'z20',
      'z21',
      'z22',
    ],
  },
  {
    title: 'a reader lists them',
    ask: async ({ session }) => (await listFlavors(session('viewer'))).length,
    answer: 20,
  },
  {
    title: 'a user without a known role lists them',
    ask: async ({ session }) => (await listFlavors(session('stranger'))).length,
    answer: 20,
  },
]);
