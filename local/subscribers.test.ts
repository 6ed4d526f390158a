import { expect, test } from 'vitest';
import type { Destination } from './manifests/knative-objects.ts';
import { addressOf } from './subscribers.ts';

const addresses = { functions: { status: 'http://s/' }, broker: 'http://b/', listener: 'http://l/' };
const service = (name: string) => ({ ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name } });

test.each<[Destination, string | undefined]>([
  [service('magnum-status'), 'http://s/'],
  [service('magnum-dead-letters'), undefined],
  [service('constructor'), undefined],
  [{ ref: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: 'magnum' } }, 'http://b/'],
  [{ ref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'magnum-status' } }, undefined],
  [{ uri: 'https://magnum-listener.invalid/' }, 'http://l/'],
  [{ uri: 'https://magnum.example.org/events' }, 'https://magnum.example.org/events'],
])('%j is at %j', (destination, url) => {
  expect(addressOf(destination, addresses)).toBe(url);
});
