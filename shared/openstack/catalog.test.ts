import { expect, test } from 'vitest';
import { endpointUrl, hasService, officialType, versionedUrl, versionRoot } from './catalog.ts';

function service(type: string, ...endpoints: [offered: string, region: string | null, url: string][]) {
  return { type, endpoints: endpoints.map(([offered, region, url]) => ({ interface: offered, region, url })) };
}

const catalog = [
  service('volumev2', ['public', 'one', 'https://old']),
  service('volumev3', ['public', 'one', 'https://volume'], ['internal', 'two', 'https://volume.two']),
  service('share', ['public', 'one', 'https://share.v1']),
  service('sharev2', ['publicURL', null, 'https://share']),
  service('key-manager'),
];

test.each([
  ['block-storage', 'public', undefined, 'https://volume'],
  ['volumev3', 'publicURL', 'one', 'https://volume'],
  ['block-storage', 'internalURL', 'two', 'https://volume.two'],
  ['shared-file-system', 'public', undefined, 'https://share'],
  ['share', 'public', 'one', 'https://share.v1'],
])('The endpoint of %s for %s in %s is %s', (type, offered, region, url) => {
  expect(endpointUrl(catalog, type, { interface: offered, region })).toBe(url);
});

test.each([
  ['volumev3', true],
  ['block-storage', true],
  ['shared-file-system', true],
  ['load-balancer', false],
  ['key-manager', false],
])('Whether the catalogue has %s: %s', (type, has) => {
  expect(hasService(catalog, type)).toBe(has);
});

test('volumev2 alone is no block storage', () => {
  expect(hasService([service('volumev2', ['public', null, 'https://old'])], 'block-storage')).toBe(false);
});

test.each([
  ['volumev3', 'block-storage'],
  ['sharev2', 'shared-file-system'],
  ['loadbalancer', 'load-balancer'],
  ['container-infra', 'container-infrastructure-management'],
  ['compute', 'compute'],
  ['toString', 'toString'],
])('The official type of %s is %s', (alias, official) => {
  expect(officialType(alias)).toBe(official);
});

test.each([
  ['https://host:9696', 'network', 'https://host:9696/v2.0'],
  ['https://host:9696/', 'network', 'https://host:9696/v2.0'],
  ['https://host/image//', 'image', 'https://host/image/v2'],
  ['https://host/image/v2', 'image', 'https://host/image/v2'],
  ['https://host/v2.1/abc', 'compute', 'https://host/v2.1/abc'],
  ['https://host/volume/v3/abc', 'volumev3', 'https://host/volume/v3/abc'],
  ['https://host:9876', 'load-balancer', 'https://host:9876/v2'],
  ['https://host/x/', 'unknown', 'https://host/x'],
])('%s of %s is called at %s', (url, type, versioned) => {
  expect(versionedUrl(url, type)).toBe(versioned);
});

test.each([
  ['https://host/compute/v2.1', 'https://host/compute/v2.1/', 'v2.1'],
  ['https://host/compute/v2.1/0123abc', 'https://host/compute/v2.1/', 'v2.1'],
])('The version document of %s is at %s', (url, root, id) => {
  expect(versionRoot(url)).toEqual({ url: root, id });
});
