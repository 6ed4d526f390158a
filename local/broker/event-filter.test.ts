import { expect, test } from 'vitest';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import type { EventFilter, Trigger } from '../manifests/knative-objects.ts';
import { selects } from './event-filter.ts';

const event: CarriedEvent = {
  attributes: {
    specversion: '1.0',
    id: '1',
    source: '/s',
    type: 'dev.knative.apiserver.ref.add',
    kind: 'Machine',
    namespace: '',
  },
  contentType: 'application/json',
  body: Buffer.from('{}'),
};

function triggerWith(spec: Partial<Trigger['spec']>): Trigger {
  return {
    metadata: { name: 't', namespace: 'n' },
    spec: { broker: 'b', subscriber: { uri: 'http://localhost/' }, ...spec },
  };
}

const machine: EventFilter = { exact: { kind: 'Machine' } };
const cluster: EventFilter = { exact: { kind: 'Cluster' } };

test.each<[string, EventFilter[], boolean]>([
  ['no filter', [], true],
  ['exact', [machine], true],
  ['exact, another value', [cluster], false],
  ['exact, one of two attributes', [{ exact: { kind: 'Machine', type: 'x' } }], false],
  ['exact, no such attribute', [{ exact: { name: '' } }], false],
  ['the media type', [{ exact: { datacontenttype: 'application/json' } }], true],
  ['an attribute of every object', [{ prefix: { constructor: '' } }], false],
  ['prefix', [{ prefix: { type: 'dev.knative.' } }], true],
  ['prefix, elsewhere', [{ prefix: { type: 'knative.' } }], false],
  ['suffix', [{ suffix: { type: '.add' } }], true],
  ['suffix, another', [{ suffix: { type: '.delete' } }], false],
  ['all', [{ all: [machine, { prefix: { type: 'dev.' } }] }], true],
  ['all but one', [{ all: [machine, cluster] }], false],
  ['any', [{ any: [cluster, machine] }], true],
  ['none of any', [{ any: [cluster] }], false],
  ['not', [{ not: cluster }], true],
  ['not, but it is', [{ not: machine }], false],
  ['two filters of which one fails', [machine, cluster], false],
])('filters: %s', (_title, filters, expected) => {
  expect(selects(triggerWith({ filters }), event)).toBe(expected);
});

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ kind: 'Machine' }, true],
  [{ kind: 'machine' }, false],
  [{ kind: '' }, true],
  [{ namespace: '' }, false],
  [{ name: '' }, false],
])('filter.attributes %j: %j', (attributes, expected) => {
  expect(selects(triggerWith({ filter: { attributes } }), event)).toBe(expected);
});

test('filters count where a Trigger has both', () => {
  expect(selects(triggerWith({ filters: [machine], filter: { attributes: { kind: 'Cluster' } } }), event)).toBe(true);
});
