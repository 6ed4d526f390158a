import { beforeEach, expect, test } from 'vitest';
import { createServer, type ServerRequest } from './create-server.ts';
import { defaultState } from './default-state.ts';
import type { CloudState } from './state.ts';

let state: CloudState;
let request: ServerRequest;

beforeEach(() => {
  state = defaultState();
  request = {
    name: 'a',
    projectId: 'p',
    flavorId: '2',
    imageId: state.images[0]?.id ?? '',
    availabilityZone: '',
    keyName: '',
    userData: '',
    addresses: { private: ['10.0.0.10'] },
  };
});

test('A server begins in BUILD, in the first zone, with its addresses', () => {
  const server = createServer(state, request);
  expect(state.servers).toEqual([server]);
  expect(server).toMatchObject({
    status: 'BUILD',
    fault: null,
    availabilityZone: 'nova',
    addresses: { private: [{ addr: '10.0.0.10', version: 4, type: 'fixed' }] },
  });
});

test.each<[string, Partial<CloudState['quotas']>, string]>([
  ['instances', { instances: 2 }, 'instances: Requested 1, but already used 2 of 2 instances'],
  ['cores', { cores: 5 }, 'cores: Requested 2, but already used 4 of 5 cores'],
  ['memory', { ram: 9_000 }, 'ram: Requested 4096, but already used 8192 of 9000 ram'],
  [
    'all of it',
    { instances: 0, cores: 0, ram: 0 },
    'cores, instances, ram: Requested 2, 1, 4096, but already used 4, 2, 8192 of 0, 0, 0 cores, instances, ram',
  ],
])("Beyond the quota of %s it is refused in Nova's words", (_, quotas, words) => {
  for (const name of ['b', 'c']) createServer(state, { ...request, name });
  createServer(state, { ...request, name: 'd', projectId: 'other' });
  Object.assign(state.quotas, quotas);
  expect(() => createServer(state, request)).toThrow(
    expect.objectContaining({ status: 403, message: `Quota exceeded for ${words}` }),
  );
  expect(state.servers).toHaveLength(3);
});

test('The last one within a quota is made', () => {
  Object.assign(state.quotas, { instances: 1, cores: 2, ram: 4_096 });
  expect(createServer(state, request).status).toBe('BUILD');
});

test.each<[string, Partial<ServerRequest>, string]>([
  ['flavor', { flavorId: 'none' }, 'Flavor none could not be found.'],
  ['image', { imageId: 'none' }, 'Image none could not be found.'],
  ['zone', { availabilityZone: 'none' }, 'The requested availability zone is not available'],
])('An unknown %s is refused', (_, change, message) => {
  expect(() => createServer(state, { ...request, ...change })).toThrow(
    expect.objectContaining({ status: 400, message }),
  );
});
