import { defaultVolumeType, listVolumeTypes } from 'openstack-client-ts';
import { onBothClouds } from './both-clouds.ts';
import type { CloudUnderTest } from './cloud-under-test.ts';

function afterDefault(name: string | null) {
  return async (cloud: CloudUnderTest) => {
    await cloud.setDefaultVolumeType(name);
    return defaultVolumeType(cloud.demo);
  };
}

onBothClouds([
  {
    title: 'all that the project may use are listed',
    ask: async ({ demo }) => (await listVolumeTypes(demo)).map(({ name, isPublic }) => `${name} ${isPublic}`).sort(),
    answer: [
      '1e3 true',
      '__DEFAULT__ true',
      'a: b true',
      'demo-only false',
      'größe true',
      'quo"te# true',
      'ssd true',
      'yes true',
      'z0 true',
      'z1 true',
      'z2 true',
      'z3 true',
      'z4 true',
      'z5 true',
      'z6 true',
      'z7 true',
      'z8 true',
      'z9 true',
    ],
  },
  {
    title: 'the same without a project in the URL',
    ask: async ({ sessionWithPlainUrls }) => (await listVolumeTypes(await sessionWithPlainUrls())).length,
    answer: 18,
  },
  {
    title: 'a default that is set is told',
    ask: afterDefault('ssd'),
    answer: { id: '<id>', name: 'ssd', isPublic: true },
  },
  {
    title: "Cinder's own default has the name __DEFAULT__",
    ask: afterDefault('__DEFAULT__'),
    answer: { id: '<id>', name: '__DEFAULT__', isPublic: true },
  },
  {
    title: 'a cloud that names a default which it does not have',
    ask: afterDefault(null),
    answer:
      'UnavailableError unavailable 500: OpenStack block-storage answered 500: The server has either erred or is incapable of performing the requested operation.',
  },
  {
    title: 'a reader lists them',
    ask: async ({ session }) => (await listVolumeTypes(session('viewer'))).length,
    answer: 18,
  },
  {
    title: 'a user without a known role may not ask for the default',
    ask: async ({ session, setDefaultVolumeType }) => {
      await setDefaultVolumeType('ssd');
      return defaultVolumeType(session('stranger'));
    },
    answer:
      "PermissionError permission_denied 403: OpenStack block-storage answered 403: Policy doesn't allow volume_extension:type_get to be performed.",
  },
  {
    title: 'a user without a known role may not list',
    ask: async ({ session }) => (await listVolumeTypes(session('stranger'))).length,
    answer:
      "PermissionError permission_denied 403: OpenStack block-storage answered 403: Policy doesn't allow volume_extension:type_get_all to be performed.",
  },
]);
