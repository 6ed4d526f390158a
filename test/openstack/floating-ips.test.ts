import { deleteFloatingIp, listFloatingIps } from 'openstack-client-ts';
import { onBothClouds } from './both-clouds.ts';

/** Addresses are Neutron's choice. */
function withoutAddress({ address, ...rest }: Awaited<ReturnType<typeof listFloatingIps>>[number]) {
  return { ...rest, address: address.replace(/\d+$/, 'x') };
}

onBothClouds([
  {
    title: 'the floating IP of a port is listed',
    ask: async ({ demo, portId }) => (await listFloatingIps(demo, { portId })).map(withoutAddress),
    answer: [{ id: '<id>', description: 'service web', projectId: '<id>', portId: '<id>', address: '203.0.113.x' }],
  },
  {
    title: 'a port that is not there has none',
    ask: ({ demo }) => listFloatingIps(demo, { portId: 'none' }),
    answer: [],
  },
  {
    title: "another project's are not listed",
    ask: ({ session, portId }) => listFloatingIps(session('other'), { portId }),
    answer: [],
  },
  {
    title: 'a reader lists them',
    ask: async ({ session, portId }) => (await listFloatingIps(session('viewer'), { portId })).length,
    answer: 1,
  },
  {
    title: 'a user without a known role lists none',
    ask: ({ session, portId }) => listFloatingIps(session('stranger'), { portId }),
    answer: [],
  },
  {
    title: 'a reader may not delete one',
    ask: async ({ demo, session, portId }) =>
      deleteFloatingIp(session('viewer'), (await listFloatingIps(demo, { portId }))[0]?.id ?? ''),
    answer:
      'PermissionError permission_denied 403: OpenStack network answered 403: rule:delete_floatingip is disallowed by policy.',
  },
  {
    title: "another project's is not there to delete",
    ask: async ({ demo, session, portId }) =>
      deleteFloatingIp(session('other'), (await listFloatingIps(demo, { portId }))[0]?.id ?? ''),
    answer: false,
  },
  {
    title: 'one is deleted once',
    ask: async ({ demo, portId }) => {
      const id = (await listFloatingIps(demo, { portId }))[0]?.id ?? '';
      return [
        await deleteFloatingIp(demo, id),
        await deleteFloatingIp(demo, id),
        await listFloatingIps(demo, { portId }),
      ];
    },
    answer: [true, false, []],
  },
  { title: 'what is no id is not there to delete', ask: ({ demo }) => deleteFloatingIp(demo, 'none'), answer: false },
]);
