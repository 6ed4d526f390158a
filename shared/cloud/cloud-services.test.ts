import { describe, expect, test } from 'vitest';
import { cloudOfEachTest } from '../../test/cloud/openstack/cloud-of-each-test.ts';
import { exampleIntent } from '../../test/render/example-intent.ts';
import { DependencyError } from '../contract/errors.ts';
import type { AddonIntent } from '../magnum/cluster-intent.ts';
import { readCloudServices } from './cloud-services.ts';

const current = cloudOfEachTest({}, { retry: { limit: 0 } });

const { addons } = exampleIntent();
const everything: AddonIntent = {
  ...addons,
  cinderCsi: { ...addons.cinderCsi, enabled: true },
  manilaCsi: { ...addons.manilaCsi, enabled: true, shareNetworkId: 'net' },
};

function read(changes: Partial<AddonIntent> = {}) {
  return readCloudServices(current.session, { addons: { ...everything, ...changes } });
}

describe('what the cloud has for the add-ons', () => {
  test('are the types that Cinder and Manila list', async () => {
    const { services, notes } = await read();
    expect(services.volumeTypes).toEqual(current.cloud.state.volumeTypes.map(({ name }) => name));
    expect(services.defaultVolumeType).toBe('ssd');
    expect(services.shareTypes).toEqual(current.cloud.state.shareTypes.map(({ name }) => name));
    expect(notes).toEqual([]);
  });

  test('is not asked for where the add-on is turned off, nor share types that nobody needs', async () => {
    current.cloud.faults.inject({ service: 'block-storage', status: 500, times: 9 });
    current.cloud.faults.inject({ service: 'shared-file-system', status: 500, times: 9 });
    const off = { ...everything.cinderCsi, enabled: false };
    const manilaCsi = { ...everything.manilaCsi, shareNetworkId: null };
    const { services } = await read({ cinderCsi: off, manilaCsi });
    expect(services).toEqual({ volumeTypes: null, defaultVolumeType: null, shareTypes: [] });
  });

  test('has no StorageClasses where a service refuses its list, and a note says so', async () => {
    current.cloud.faults.inject({ service: 'shared-file-system', status: 403, times: 9 });
    const { services, notes } = await read();
    expect(services.shareTypes).toEqual([]);
    expect(services.volumeTypes).not.toEqual([]);
    expect(notes).toEqual([expect.stringContaining('Share types get no StorageClass: ')]);
  });

  test('has no default type where Cinder does not know its own', async () => {
    current.cloud.faults.inject({ service: 'block-storage', path: /\/types\/default/, status: 500, times: 9 });
    expect((await read()).services.defaultVolumeType).toBeNull();
  });

  test('is asked for again where a service is down', async () => {
    current.cloud.faults.inject({ service: 'shared-file-system', status: 503, times: 9 });
    await expect(read()).rejects.toBeInstanceOf(DependencyError);
  });
});
