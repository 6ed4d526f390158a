import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import type { PingSource } from '../manifests/knative-objects.ts';
import { type RunningPing, startPingSource } from './ping-source.ts';

const source: PingSource = {
  metadata: { name: 'magnum-resync', namespace: 'magnum-system' },
  spec: { schedule: '*/5 * * * *', contentType: 'application/json', data: '{"a":1}', sink: { uri: 'http://sink/' } },
};

const sent: CarriedEvent[] = [];
let running: RunningPing | undefined;
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-30T06:01:30Z') });
});
afterEach(() => {
  running?.stop();
  sent.length = 0;
  vi.useRealTimers();
});

function start(spec: Partial<PingSource['spec']> = {}): RunningPing {
  running = startPingSource({ ...source, spec: { ...source.spec, ...spec } }, async (event) => void sent.push(event));
  return running;
}

function times(): readonly string[] {
  return sent.map(({ attributes }) => (attributes['time'] ?? '').slice(11, 19));
}

test('events come by the schedule until the end', async () => {
  const { stop } = start();
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(times()).toEqual(['06:05:00', '06:10:00']);
  stop();
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(times()).toHaveLength(2);
});

test('a schedule may have seconds and a time zone', async () => {
  start({ schedule: '30 0 8 * * *', timezone: 'Europe/Berlin' });
  await vi.advanceTimersByTimeAsync(90 * 60_000);
  expect(times()).toEqual(['07:00:30']);
});

test('the event is that of a PingSource: without subject, its data as written, with another id each time', async () => {
  const { ping } = start();
  await ping();
  await ping();
  expect(sent[0]).toEqual({
    attributes: {
      specversion: '1.0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      source: '/apis/v1/namespaces/magnum-system/pingsources/magnum-resync',
      type: 'dev.knative.sources.ping',
      time: '2026-11-30T06:01:30.000Z',
    },
    contentType: 'application/json',
    body: Buffer.from('{"a":1}'),
  });
  expect(sent[1]?.attributes['id']).not.toBe(sent[0]?.attributes['id']);
});

test('a schedule that nobody can read is refused', () => {
  expect(() => start({ schedule: 'now and then' })).toThrow('"now and then"');
});
