import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { eventHeaders } from '../../shared/event/carried-event.ts';
import type { Change } from '../../shared/kubernetes/watch/watched-resource.ts';
import { referenceEvent } from './reference-event.ts';

const source = 'https://127.0.0.1:16443';
const object = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  name: 'kube-abcde-x',
  namespace: 'magnum-system',
};

test.each([
  ['Machine', 'machines'],
  ['ClusterClass', 'clusterclasses'],
  ['NetworkPolicy', 'networkpolicies'],
  ['Endpoints', 'endpoints'],
])('the subject guesses the plural of %s: %s', (kind, plural) => {
  const { subject } = referenceEvent('ADDED', { ...object, kind }, source).attributes;
  expect(subject).toBe(`/apis/cluster.x-k8s.io/v1beta2/namespaces/magnum-system/${plural}/kube-abcde-x`);
});

test('an object of the core group and of the whole cluster has the subject and the empty namespace of the real source', () => {
  const event = referenceEvent('DELETED', { apiVersion: 'v1', kind: 'Node', name: 'n', namespace: '' }, source);
  expect(event.attributes).toMatchObject({ subject: '/apis/v1/namespaces//nodes/n', namespace: '' });
  expect(eventHeaders(event)).toMatchObject({ 'ce-namespace': '' });
});

test('the same change sent twice has two ids', () => {
  const [first, second] = [referenceEvent('ADDED', object, source), referenceEvent('ADDED', object, source)];
  expect(first.attributes['id']).not.toBe(second.attributes['id']);
});

const recording = fileURLToPath(new URL('../../../shared/samples/apiserversource-life.jsonl', import.meta.url));
const recorded = z.object({ headers: z.record(z.string(), z.string()), body: z.string() });
const reference = z.object({ kind: z.string(), namespace: z.string(), name: z.string(), apiVersion: z.string() });
const changes: Readonly<Record<string, Change>> = { add: 'ADDED', update: 'MODIFIED', delete: 'DELETED' };

/** What differs from one event to the next, in the same format. */
function comparable(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'ce-id': id = '', 'ce-time': time = '', 'user-agent': _agent, 'kn-namespace': _namespace, ...rest } = headers;
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
  return rest;
}

describe.skipIf(!existsSync(recording))('every event of a recorded life of a cluster', () => {
  test('would be sent with the same headers and the same body', () => {
    const lines = readFileSync(recording, 'utf8').trim().split('\n');
    expect(lines.length).toBeGreaterThan(200);
    for (const line of lines) {
      const { headers, body } = recorded.parse(JSON.parse(line));
      const change = changes[headers['ce-type']?.split('.').at(-1) ?? ''] ?? 'ADDED';
      const event = referenceEvent(change, reference.parse(JSON.parse(body)), headers['ce-source'] ?? '');
      expect(comparable(eventHeaders(event))).toEqual(comparable(headers));
      expect(event.body.toString()).toBe(body);
    }
  });
});
