import * as z from 'zod';
import { onBothClouds } from './both-clouds.ts';
import type { CloudUnderTest } from './cloud-under-test.ts';

const link = z.object({ rel: z.string(), href: z.string() });

/** How many a page has, and what its link asks for. */
function page(service: string, key: string, query: Readonly<Record<string, string>>, path = `/${key}`) {
  return async ({ demo }: CloudUnderTest) => {
    const { body } = await demo.send({ service, method: 'GET', path, query });
    const fields = z.record(z.string(), z.unknown()).parse(body);
    const links = z.array(link).safeParse(fields[`${key}_links`] ?? fields[`${key.slice(0, -1)}_links`]).data ?? [];
    const next = z.string().safeParse(fields['next']).data;
    const asked = [
      ...links.filter(({ rel }) => rel === 'next').map(({ rel, href }) => `${rel} ${wanted(href)}`),
      ...(next === undefined ? [] : [`next ${wanted(next)}`]),
    ];
    return { count: z.array(z.unknown()).parse(fields[key]).length, asked };
  };
}

function wanted(href: string): string {
  const { pathname, searchParams } = new URL(href, 'http://cloud');
  searchParams.sort();
  return `${pathname.split('/').slice(-2).join('/')}?${searchParams}`;
}

const flavors = (query: Record<string, string>) => page('compute', 'flavors', query, '/flavors/detail');
const servers = (query: Record<string, string>) => page('compute', 'servers', query, '/servers/detail');

onBothClouds([
  {
    title: 'a page of flavors links to the next',
    ask: flavors({ limit: '2' }),
    answer: { count: 2, asked: ['next flavors/detail?limit=2&marker=2'] },
  },
  {
    title: 'a page of flavors that begins behind a marker',
    ask: flavors({ limit: '2', marker: '2' }),
    answer: { count: 2, asked: ['next flavors/detail?limit=2&marker=4'] },
  },
  {
    title: 'flavors without a limit',
    ask: flavors({ is_public: 'None' }),
    answer: { count: 10, asked: ['next flavors/detail?is_public=None&marker=z12'] },
  },
  {
    title: 'more flavors than a page may have',
    ask: flavors({ limit: '1000' }),
    answer: { count: 10, asked: ['next flavors/detail?limit=1000&marker=z12'] },
  },
  { title: 'no flavors at all', ask: flavors({ limit: '0' }), answer: { count: 0, asked: [] } },
  { title: 'the last page of flavors', ask: flavors({ marker: 'z13' }), answer: { count: 9, asked: [] } },
  {
    title: 'a page of servers links to the next',
    ask: servers({ limit: '2', status: 'ERROR' }),
    answer: { count: 2, asked: ['next servers/detail?limit=2&marker=<id>&status=ERROR'] },
  },
  {
    title: 'a page of images links to the next',
    ask: page('image', 'images', { limit: '2', name: 'many' }),
    answer: { count: 2, asked: ['next v2/images?limit=2&marker=<id>&name=many'] },
  },
  {
    title: 'images without a limit',
    ask: page('image', 'images', { name: 'many' }),
    answer: { count: 10, asked: ['next v2/images?marker=<id>&name=many'] },
  },
  {
    title: 'more images than there are',
    ask: page('image', 'images', { name: 'many', limit: '100' }),
    answer: { count: 13, asked: [] },
  },
  {
    title: 'as many images as there are',
    ask: page('image', 'images', { name: 'many', limit: '13' }),
    answer: { count: 13, asked: ['next v2/images?limit=13&marker=<id>&name=many'] },
  },
  { title: 'no images at all', ask: page('image', 'images', { limit: '0' }), answer: { count: 0, asked: [] } },
  {
    title: 'a page of networks links to the next',
    ask: page('network', 'networks', { limit: '2', name: 'many' }),
    answer: { count: 2, asked: ['next v2.0/networks?limit=2&marker=<id>&name=many'] },
  },
  {
    title: 'networks without a limit',
    ask: page('network', 'networks', { name: 'many' }),
    answer: { count: 10, asked: ['next v2.0/networks?marker=<id>&name=many'] },
  },
  {
    title: 'as many networks as there are',
    ask: page('network', 'networks', { name: 'twice', limit: '2' }),
    answer: { count: 2, asked: ['next v2.0/networks?limit=2&marker=<id>&name=twice'] },
  },
  {
    title: 'more networks than a page may have',
    ask: page('network', 'networks', { name: 'many', limit: '100' }),
    answer: { count: 10, asked: ['next v2.0/networks?limit=100&marker=<id>&name=many'] },
  },
  {
    title: 'a page of volume types links to the next',
    ask: page('block-storage', 'volume_types', { limit: '2' }, '/types'),
    answer: { count: 2, asked: ['next <id>/types?limit=2&marker=<id>'] },
  },
  {
    title: 'volume types without a limit',
    ask: page('block-storage', 'volume_types', {}, '/types'),
    answer: { count: 10, asked: ['next <id>/types?marker=<id>'] },
  },
]);
