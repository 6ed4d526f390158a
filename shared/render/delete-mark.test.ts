import { expect, test } from 'vitest';
import { openRecord } from '../kubernetes/operation-record.ts';
import { readDeleteRequest } from './cloud-config.ts';

const mark = openRecord({ id: 'e1', time: '2026-01-01T00:00:00Z' }, 'cluster.delete', 60);

function secretWith(text: unknown) {
  return { metadata: { name: 'kube-abcde-cloud-config', annotations: { 'magnum.openstack.org/delete': text } } };
}

test('the delete mark is read from a Secret that bears nothing else, as one of the original driver', () => {
  expect(readDeleteRequest(secretWith(JSON.stringify(mark)))).toEqual(mark);
});

test.each<[string, unknown]>([
  ['no annotations', { metadata: {} }],
  ['no mark', { metadata: { annotations: {} } }],
  ['a mark that is no JSON', secretWith('{')],
  ['a mark that is no record', secretWith('{}')],
  ['a mark that is no text', secretWith(5)],
  ['nothing at all', null],
])('there is no delete mark on a Secret with %s', (_what, secret) => {
  expect(readDeleteRequest(secret)).toBeNull();
});
