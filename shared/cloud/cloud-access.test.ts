import type { CatalogService } from 'openstack-client-ts';
import { describe, expect, test } from 'vitest';
import { RejectedError } from '../contract/errors.ts';
import { magnumOptions } from '../magnum/snapshot.ts';
import { cloudAccess, clusterRegion } from './cloud-access.ts';

const authUrl = 'https://keystone.example/v3';

describe('the way to the cloud', () => {
  test("follows Magnum's defaults where no option is set", () => {
    expect(cloudAccess(authUrl, magnumOptions.parse(undefined))).toEqual({
      authUrl,
      region: null,
      endpointType: 'public',
      verify: true,
      caCertificate: null,
    });
  });

  test('takes interface, authority and verification from capi_client', () => {
    const options = magnumOptions.parse({
      capi_client: { endpoint_type: 'internalURL', ca_file: 'PEM', insecure: true },
      cinder_client: { region_name: 'west' },
      drivers: { openstack_ca_file: 'other' },
    });
    const expected = { region: 'west', endpointType: 'internal', verify: false, caCertificate: 'PEM' };
    expect(cloudAccess(authUrl, options)).toEqual({ authUrl, ...expected });
  });

  test('trusts the authority of [drivers] where capi_client has none', () => {
    const options = magnumOptions.parse({ drivers: { openstack_ca_file: 'PEM' } });
    expect(cloudAccess(authUrl, options).caCertificate).toBe('PEM');
  });
});

function catalog(...regions: (string | null)[]): CatalogService[] {
  const endpoints = regions.map((region) => ({ interface: 'public', region, url: 'https://x.example' }));
  return [{ type: 'compute', endpoints }];
}

describe('the region of a cluster', () => {
  test.each([
    ['the option', 'west', catalog('east', 'west'), 'west'],
    ['the only one of the catalogue', null, catalog('east', 'east', null), 'east'],
  ])('is %s', (_what, option, services, expected) => {
    expect(clusterRegion(option, services)).toBe(expected);
  });

  test.each([
    ['several', catalog('east', 'west')],
    ['no', catalog(null)],
  ])('is asked for where the catalogue has %s region', (_what, services) => {
    expect(() => clusterRegion(null, services)).toThrow(RejectedError);
  });
});
