import { getServer, listServers } from 'openstack-client-ts';
import { onBothClouds } from './both-clouds.ts';

onBothClouds([
  {
    title: 'all servers of the project are listed over all pages',
    ask: async ({ demo }) => (await listServers(demo)).map(({ name, status }) => `${name} ${status}`).sort(),
    answer: [
      'broken ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'broken-too ERROR',
      'off SHUTOFF',
      'well ACTIVE',
    ],
  },
  {
    title: 'those in ERROR are listed over all pages',
    ask: async ({ demo }) => (await listServers(demo, { status: 'ERROR' })).length,
    answer: 14,
  },
  {
    title: 'those in ACTIVE are listed',
    ask: async ({ demo }) => (await listServers(demo, { status: 'ACTIVE' })).map(({ name }) => name),
    answer: ['well'],
  },
  {
    title: 'those in SHUTOFF are listed',
    ask: async ({ demo }) => (await listServers(demo, { status: 'SHUTOFF' })).map(({ name }) => name),
    answer: ['off'],
  },
  {
    title: 'none is listed of a status that no server has',
    ask: ({ demo }) => listServers(demo, { status: 'PAUSED' }),
    answer: [],
  },
  {
    title: 'a status in small letters is the same',
    ask: async ({ demo }) => (await listServers(demo, { status: 'active' })).length,
    answer: 1,
  },
  { title: 'an unknown status', ask: ({ demo }) => listServers(demo, { status: 'NONE' }), answer: [] },
  {
    title: 'a fault is told',
    ask: async ({ demo }) => {
      const broken = (await listServers(demo, { status: 'ERROR' })).find(({ name }) => name === 'broken');
      const { fault, ...server } = await getServer(demo, broken?.id ?? '');
      return { ...server, fault: { code: fault?.code, message: fault?.message } };
    },
    answer: {
      id: '<id>',
      name: 'broken',
      status: 'ERROR',
      fault: { code: 500, message: 'No valid host was found. There are not enough hosts available.' },
    },
  },
  {
    title: 'a server without a fault has none',
    ask: async ({ demo }) => getServer(demo, (await listServers(demo, { status: 'ACTIVE' }))[0]?.id ?? ''),
    answer: { id: '<id>', name: 'well', status: 'ACTIVE', fault: null },
  },
  {
    title: 'an unknown server',
    ask: ({ demo }) => getServer(demo, '33333333-3333-4333-8333-333333333333'),
    answer: 'NotFoundError not_found 404: OpenStack compute answered 404: Instance <id> could not be found.',
  },
  {
    title: 'what is no id',
    ask: ({ demo }) => getServer(demo, 'none'),
    answer: 'NotFoundError not_found 404: OpenStack compute answered 404: Instance none could not be found.',
  },
  {
    title: "another project's server is not there",
    ask: async ({ demo, session }) => getServer(demo, (await listServers(session('other')))[0]?.id ?? ''),
    answer: 'NotFoundError not_found 404: OpenStack compute answered 404: Instance <id> could not be found.',
  },
  {
    title: 'a reader lists them',
    ask: async ({ session }) => (await listServers(session('viewer'))).length,
    answer: 16,
  },
  {
    title: 'a user without a known role may not show one',
    ask: async ({ demo, session }) => getServer(session('stranger'), (await listServers(demo))[0]?.id ?? ''),
    answer:
      "PermissionError permission_denied 403: OpenStack compute answered 403: Policy doesn't allow os_compute_api:servers:show to be performed.",
  },
  {
    title: 'a user without a known role may not list',
    ask: async ({ session }) => (await listServers(session('stranger'))).length,
    answer:
      "PermissionError permission_denied 403: OpenStack compute answered 403: Policy doesn't allow os_compute_api:servers:detail to be performed.",
  },
]);
