import {
  createApplicationCredential,
  findFlavor,
  findImage,
  findNetwork,
  hasService,
  listVolumeTypes,
} from 'openstack-client-ts';
import { onBothClouds } from './both-clouds.ts';

const services = ['identity', 'compute', 'image', 'network', 'block-storage', 'load-balancer', 'shared-file-system'];

onBothClouds([
  {
    title: 'the token tells who and what',
    ask: async ({ demo }) => {
      const { user, project, roles, methods, applicationCredential } = await demo.authentication();
      return { user, project, roles: [...roles].sort(), methods, applicationCredential };
    },
    answer: {
      user: { id: '<id>', name: 'demo', domainId: 'default', domainName: 'Default' },
      project: { id: '<id>', name: 'demo', domainId: 'default', domainName: 'Default' },
      roles: ['member', 'reader'],
      methods: ['password'],
      applicationCredential: null,
    },
  },
  {
    title: 'the catalogue has the services',
    ask: async ({ demo }) => {
      const { catalog } = await demo.authentication();
      return services.filter((service) => hasService(catalog, service));
    },
    answer: ['identity', 'compute', 'image', 'network', 'block-storage'],
  },
  {
    title: 'every service takes the token of an application credential',
    ask: async ({ demo, sessionWith }) => {
      const { id, secret } = await createApplicationCredential(demo, { name: 'cluster' });
      const session = sessionWith({ kind: 'application_credential', id, secret });
      const { name } = await findFlavor(session, 'm1.small');
      const found = [name, (await findImage(session, 'large')).name, (await findNetwork(session, 'private')).name];
      const types = await listVolumeTypes(session);
      const { roles, applicationCredential } = await session.authentication();
      return [found, types.length, [...roles].sort(), applicationCredential];
    },
    answer: [['m1.small', 'large', 'private'], 18, ['member', 'reader'], { id: '<id>', restricted: true }],
  },
  {
    title: 'a region that is not there',
    ask: ({ session }) => session('demo', { region: 'RegionNone' }).endpoint('compute'),
    answer:
      'ServiceMissingError service_missing -: The cloud\'s catalogue has no public endpoint of the service compute in region "RegionNone".',
  },
  {
    title: 'a service that is not there',
    ask: ({ demo }) => demo.endpoint('load-balancer'),
    answer:
      'ServiceMissingError service_missing -: The cloud\'s catalogue has no public endpoint of the service load-balancer in region "RegionOne".',
  },
  {
    title: 'Nova offers a range of microversions',
    ask: async ({ demo }) => (await demo.microversions('compute'))?.min,
    answer: '2.1',
  },
  {
    title: 'Cinder offers a range of microversions',
    ask: ({ demo }) => demo.microversions('block-storage'),
    answer: { min: '3.0', max: '3.71' },
  },
  {
    title: 'Glance offers none',
    ask: ({ demo }) => demo.microversions('image'),
    answer: 'NotFoundError not_found 404: OpenStack image answered 404: The resource could not be found.',
  },
  { title: 'Neutron offers none', ask: ({ demo }) => demo.microversions('network'), answer: null },
]);
