import { findImage } from 'openstack-client-ts';
import { onBothClouds } from './both-clouds.ts';
import type { CloudUnderTest } from './cloud-under-test.ts';

/** An image by name, with the properties that the driver reads. */
function image(name: string) {
  return async ({ demo }: CloudUnderTest) => shown(await findImage(demo, name));
}

function shown({ name, status, minDisk, properties }: Awaited<ReturnType<typeof findImage>>) {
  const { os_distro, hw_disk_bus } = properties;
  return { name, status, minDisk, os_distro, hw_disk_bus };
}

onBothClouds([
  {
    title: 'an image is found by name',
    ask: image('ubuntu-2204-kube-v1.30'),
    answer: { name: 'ubuntu-2204-kube-v1.30', status: 'active', minDisk: 0, os_distro: 'ubuntu', hw_disk_bus: 'scsi' },
  },
  {
    title: 'an image is found by id',
    ask: async ({ demo }) => {
      const { id } = await findImage(demo, 'large');
      return shown(await findImage(demo, id));
    },
    answer: { name: 'large', status: 'active', minDisk: 30 },
  },
  {
    title: 'an id in capital letters is the same id',
    ask: async ({ demo }) => shown(await findImage(demo, (await findImage(demo, 'large')).id.toUpperCase())),
    answer: { name: 'large', status: 'active', minDisk: 30 },
  },
  {
    title: 'every property of text is told',
    ask: async ({ demo }) => Object.keys((await findImage(demo, 'large')).properties).sort(),
    answer: [
      'checksum',
      'container_format',
      'created_at',
      'disk_format',
      'file',
      'os_hash_algo',
      'os_hash_value',
      'owner',
      'schema',
      'self',
      'stores',
      'updated_at',
      'visibility',
    ],
  },
  {
    title: 'an image without data is queued',
    ask: image('queued'),
    answer: { name: 'queued', status: 'queued', minDisk: 0 },
  },
  {
    title: 'a deactivated image says so',
    ask: image('deactivated'),
    answer: { name: 'deactivated', status: 'deactivated', minDisk: 0 },
  },
  {
    title: 'an image of the own project is found',
    ask: image('own'),
    answer: { name: 'own', status: 'active', minDisk: 0 },
  },
  {
    title: "another project's image is not there",
    ask: image('foreign'),
    answer: 'NotFoundError not_found -: There is no image with the name or id "foreign".',
  },
  {
    title: "another project's image is not there by id either",
    ask: async ({ demo, session }) => findImage(demo, (await findImage(session('other'), 'foreign')).id),
    answer: 'NotFoundError not_found -: There is no image with the name or id "<id>".',
  },
  {
    title: 'an operator before a colon is part of the name',
    ask: image('in:colon'),
    answer: { name: 'in:colon', status: 'active', minDisk: 0 },
  },
  {
    title: 'an operator alone is a name',
    ask: image('in:'),
    answer: 'NotFoundError not_found -: There is no image with the name or id "in:".',
  },
  {
    title: 'a name of any characters is found',
    ask: image('größe "1", 2'),
    answer: { name: 'größe "1", 2', status: 'active', minDisk: 0 },
  },
  {
    title: 'a name that looks like an id is found',
    ask: image('11111111-1111-4111-8111-111111111111'),
    answer: { name: '<id>', status: 'active', minDisk: 0 },
  },
  {
    title: 'two of one name are ambiguous',
    ask: image('twice'),
    answer: 'AmbiguousError ambiguous -: There are 2 images with the name "twice": give the id instead (<id>, <id>).',
  },
  {
    title: 'many of one name are counted over all pages',
    ask: image('many'),
    answer:
      'AmbiguousError ambiguous -: There are 13 images with the name "many": give the id instead (<id>, <id>, <id>, …).',
  },
  {
    title: 'an unknown image is named',
    ask: image('none'),
    answer: 'NotFoundError not_found -: There is no image with the name or id "none".',
  },
  {
    title: 'another case is another name',
    ask: image('LARGE'),
    answer: 'NotFoundError not_found -: There is no image with the name or id "LARGE".',
  },
  {
    title: 'a space behind the name is another name',
    ask: image('large '),
    answer: 'NotFoundError not_found -: There is no image with the name or id "large".',
  },
  {
    title: 'characters beyond the basic plane are just not found',
    ask: image('large 😀'),
    answer: 'NotFoundError not_found -: There is no image with the name or id "large 😀".',
  },
  {
    title: 'a reader finds an image',
    ask: async ({ session }) => shown(await findImage(session('viewer'), 'large')),
    answer: { name: 'large', status: 'active', minDisk: 30 },
  },
  {
    title: 'a user without a known role finds none by id',
    ask: async ({ demo, session }) => findImage(session('stranger'), (await findImage(demo, 'large')).id),
    answer:
      'PermissionError permission_denied 403: OpenStack image answered 403: You are not authorized to complete get_images action.',
  },
  {
    title: 'a user without a known role may not list',
    ask: async ({ session }) => shown(await findImage(session('stranger'), 'large')),
    answer:
      'PermissionError permission_denied 403: OpenStack image answered 403: You are not authorized to complete get_images action.',
  },
]);
