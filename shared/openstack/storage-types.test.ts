import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostileNames } from '../../test/cloud/openstack/default-state.ts';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { defaultVolumeType, listVolumeTypes } from './block-storage.ts';
import { ServiceMissingError } from './errors.ts';
import type { Session } from './session.ts';
import { listShareTypes } from './shared-file-system.ts';

let cloud: SimulatedOpenStack;
let session: Session;

beforeAll(async () => {
  cloud = await startSimulatedOpenStack();
  session = demoSession(cloud);
});

afterAll(() => {
  session.close();
  return cloud.stop();
});

test('Volume and share types come with their names unchanged', async () => {
  const volumes = (await listVolumeTypes(session)).map(({ name }) => name);
  const shares = (await listShareTypes(session)).map(({ name }) => name);
  expect([volumes, shares]).toEqual([
    ['ssd', 'hdd', ...hostileNames],
    ['cephfs', 'nfs', ...hostileNames],
  ]);
});

test('The default volume type is known, and null where the cloud has none', async () => {
  expect(await defaultVolumeType(session)).toMatchObject({ name: 'ssd', isPublic: true });
  cloud.state.defaultVolumeType = null;
  expect(await defaultVolumeType(session)).toBeNull();
  cloud.faults.inject({ path: '/types/default', status: 406 });
  expect(await defaultVolumeType(session)).toBeNull();
});

test('A cloud without a service says which one is missing', async () => {
  cloud.state.services = cloud.state.services.filter(({ type }) => type !== 'shared-file-system');
  const without = demoSession(cloud);
  await expect(listShareTypes(without)).rejects.toThrow(ServiceMissingError);
  await expect(listShareTypes(without)).rejects.toThrow('has no public endpoint of the service shared-file-system.');
  without.close();
});
