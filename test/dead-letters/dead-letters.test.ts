import { describe, expect, test } from 'vitest';
import { letterSelector } from '../../shared/dead-letters/dead-letter.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { freePorts } from '../env/free-ports.ts';
import { sendEvent } from '../functions/send-event.ts';
import { deadEvent, listenerDown, report } from './dead-event.ts';
import { deadLettersStageOfFile } from './dead-letters-stage.ts';

const stage = deadLettersStageOfFile();

describe('a dead letter', () => {
  test('is kept whole and readable, without what brokers add and without the secret of an address', async () => {
    const { url } = await stage().start();
    const event = deadEvent({ source: '/whole' });
    expect(await sendEvent(url, event)).toMatchObject({ status: 204 });
    const [letter, ...others] = await stage().letters('/whole');
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      name: expect.stringMatching(/^dead-letter-[0-9a-f]{16}$/),
      isWhole: true,
      destination: 'https://magnum-listener.example.org:8790',
      code: '503',
      reason: expect.stringContaining("Magnum's database cannot be used."),
    });
    const own = Object.entries(event).filter(([name]) => !name.startsWith('knative'));
    expect(letter?.event).toEqual({ ...Object.fromEntries(own), datacontenttype: 'application/json' });
    const kept = await stage().kubernetes.list(resources.configMap, { namespace, labelSelector: letterSelector });
    expect(JSON.stringify(kept)).not.toContain('the-secret-of-the-listener');
  });

  test('that comes again is the same one, newer; at another destination it is another', async () => {
    const { url } = await stage().start();
    const event = deadEvent({ source: '/again' });
    await Promise.all([event, event, event].map((each) => sendEvent(url, each)));
    const [first, ...others] = await stage().letters('/again');
    expect(others).toEqual([]);
    await sendEvent(url, event);
    const [second] = await stage().letters('/again');
    expect(second).toMatchObject({ name: first?.name, uid: first?.uid });
    expect(second?.resourceVersion).not.toBe(first?.resourceVersion);
    await sendEvent(url, { ...event, knativeerrordest: 'http://magnum-status.magnum-system.svc.cluster.local' });
    expect(await stage().letters('/again')).toHaveLength(2);
  });

  test('may be of any type, a change of an object or a resync as well, in binary mode too', async () => {
    const { url } = await stage().start();
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': '1',
      'ce-source': '/any-type',
      'ce-type': 'dev.knative.sources.ping',
      'content-type': 'application/json',
      'ce-knativeerrordest': 'http://magnum-status.magnum-system.svc.cluster.local',
      'ce-knativeerrorcode': '404',
    };
    expect(await fetch(url, { method: 'POST', headers, body: '{}' })).toMatchObject({ status: 204 });
    const [letter] = await stage().letters('/any-type');
    expect(letter).toMatchObject({ code: '404', reason: '', event: { type: 'dev.knative.sources.ping', data: {} } });
  });

  test('hides what looks like a secret, says so, and is not kept beyond a size', async () => {
    const { url } = await stage().start();
    await sendEvent(url, deadEvent({ source: '/hidden', data: { ...report, password: 'hunter2hunter2' } }));
    const [hidden] = await stage().letters('/hidden');
    expect(hidden?.isWhole).toBe(false);
    expect(JSON.stringify(hidden)).not.toContain('hunter2');
    await sendEvent(url, deadEvent({ source: '/large', data: { text: 'x'.repeat(100_000) } }));
    const [large] = await stage().letters('/large');
    expect(large).toMatchObject({ isWhole: false, event: { source: '/large', subject: report.cluster_uuid } });
    expect(JSON.stringify(large).length).toBeLessThan(5_000);
  });
});

describe('what is no event, or one that means harm', () => {
  test.each([
    [
      'extensions that are none',
      { knativeerrordest: 'no address', knativeerrorcode: '<b>', knativeerrordata: '\u{fffd}' },
    ],
    ['an address of another kind', { ...listenerDown, knativeerrordest: 'javascript:alert(1)' }],
    [
      'data that is no base64',
      { ...listenerDown, knativeerrordata: 'refused: Post "https://l.example/reports/the-secret-x": EOF' },
    ],
  ])('%s is kept without them', async (what, failure) => {
    const { url } = await stage().start();
    expect(await sendEvent(url, deadEvent({ source: `/odd/${what}`, failure }))).toMatchObject({ status: 204 });
    const [letter] = await stage().letters(`/odd/${what}`);
    expect(letter?.isWhole).toBe(true);
    expect(JSON.stringify(letter)).not.toContain('the-secret');
  });

  test('is refused, and the next one works', async () => {
    const { url } = await stage().start();
    const { type: _type, ...untyped } = deadEvent({ source: '/refused' });
    expect(await sendEvent(url, untyped)).toMatchObject({ status: 400 });
    const polluting = JSON.stringify(deadEvent({ source: '/refused' })).replace(
      '"data":{',
      '"data":{"__proto__":{"a":1},',
    );
    const headers = { 'content-type': 'application/cloudevents+json' };
    expect(await fetch(url, { method: 'POST', headers, body: polluting })).toMatchObject({ status: 400 });
    expect(await sendEvent(url, deadEvent({ source: '/refused' }))).toMatchObject({ status: 204 });
    expect(await stage().letters('/refused')).toHaveLength(1);
  });
});

test('while the API server is down, letters stay with the broker', async () => {
  const [port] = await freePorts(1);
  const { url } = await stage().start({ server: `https://127.0.0.1:${port}` });
  const answer = await sendEvent(url, deadEvent({ source: '/down' }));
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
  expect(await stage().letters('/down')).toEqual([]);
});

test('there are never more than 500, and the newest stay', async () => {
  const { url } = await stage().start();
  const before = await stage().kubernetes.list(resources.configMap, { namespace, labelSelector: letterSelector });
  const missing = Array.from({ length: 500 - before.length }, (_each, index) => index);
  const labels = { 'magnum.openstack.org/dead-letter': 'true' };
  for (const index of missing) {
    const metadata = { namespace, name: `dead-letter-old-${String(index).padStart(3, '0')}`, labels };
    await stage().kubernetes.create(resources.configMap, { metadata, data: { event: '{}' } });
  }
  expect(await sendEvent(url, deadEvent({ source: '/newest' }))).toMatchObject({ status: 204 });
  const after = await stage().kubernetes.list(resources.configMap, { namespace, labelSelector: letterSelector });
  expect(after.length).toBeLessThanOrEqual(500);
  expect(after.length).toBeGreaterThan(470);
  expect(await stage().letters('/newest')).toHaveLength(1);
  const gone = missing.length - after.filter(({ metadata }) => metadata?.name?.startsWith('dead-letter-old')).length;
  expect(gone + before.length).toBeGreaterThan(20);
  for (const { metadata } of after) {
    await stage().kubernetes.delete(resources.configMap, { namespace, name: metadata?.name ?? '' });
  }
});
