import { describe, expect, test } from 'vitest';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { processUsage } from '../bench/process-usage.ts';
import { createCluster } from '../functions/created-cluster.ts';
import { type EventAnswer, sendEvent } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { attackedFunction } from './attacked-function.ts';

const stage = stageOfFile();
const attacked = attackedFunction(stage, 'status');

/** Without a token: where the network decides who is a broker, everybody who reaches the port can pass as one. */
const deliver = (event: object): Promise<EventAnswer> => sendEvent(attacked().process.url, event);

const attributes = { specversion: '1.0', id: 'hostile', source: '/hostile', type: 'dev.knative.apiserver.ref.update' };
const change = (members: object) => ({
  ...attributes,
  data: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', namespace, name: 'kube-zzzzz', ...members },
});

/** The next proper event is answered with a report. */
async function expectWorks(): Promise<void> {
  const { stackId, uuid, magnum } = await createCluster(stage());
  expect(await deliver(change({ name: stackId }))).toMatchObject({ status: 200, data: { cluster_uuid: uuid } });
  const asked = magnum.requestStatus('CREATE_IN_PROGRESS');
  expect(await stage().send(asked, attacked().process.url)).toMatchObject({ status: 200 });
  expect(attacked().process.logLines.join('\n')).not.toMatch(/"level":"(error|fatal)"/);
}

describe('a change that nobody with rights has sent', () => {
  test.each([
    ['a path up', '../../../secrets/kube-zzzzz-cloud-config'],
    ['another line', '\r\nkube-zzzzz'],
    ['the name of what every object has', '__proto__'],
    ['100,000 characters', `kube-${'a'.repeat(100_000)}`],
    ['letters that look like others', 'kube-\u0430bcde'],
    ['a path below a cluster', 'kube-zzzzz/status'],
    ['a query', 'kube-zzzzz?watch=true'],
    ['an encoded path', 'kube-zzzzz%2f..%2f..'],
    ['a cluster and another line', 'kube-zzzzz\r\nx: y'],
  ])('is no reason to call anybody where its name is %s', async (_title, name) => {
    attacked().takeCalls();
    expect(await deliver(change({ name }))).toMatchObject({ status: 204 });
    expect(attacked().takeCalls()).toEqual([]);
  });

  test.each([
    ['a path', 'kube-zzzzz-/../../../secrets'],
    ['a query', 'kube-zzzzz-?watch=true'],
    ['another line', 'kube-zzzzz-\r\nx: y'],
  ])('has nothing but the cluster read that its name begins with, where %s follows', async (_title, name) => {
    attacked().takeCalls();
    expect(await deliver(change({ name }))).toMatchObject({ status: 204 });
    const calls = attacked().takeCalls();
    expect(calls.length).toBeLessThanOrEqual(8);
    for (const call of calls) expect(call).toMatch(/^([a-z]+|kube-zzzzz-cloud-config)$/);
  });

  test.each([
    ['its data is none', { ...attributes, data: 'kube-zzzzz' }],
    ['its data is a list', { ...attributes, data: [change({}).data] }],
    ['its name is an object', change({ name: { toString: 'kube-zzzzz' } })],
    ['its kind is missing', change({ kind: undefined })],
    ['its version is a number', change({ apiVersion: 1 })],
  ])('is refused without a call where %s', async (_title, event) => {
    attacked().takeCalls();
    expect(await deliver(event)).toMatchObject({ status: 400, data: { code: 'invalid_event' } });
    expect(attacked().takeCalls()).toEqual([]);
  });

  test('is refused without a call where it would change what every object has', async () => {
    attacked().takeCalls();
    const polluting = JSON.stringify(change({})).replace('"data":{', '"data":{"__proto__":{"polluted":true},');
    const headers = { 'content-type': 'application/cloudevents+json' };
    const answer = await fetch(attacked().process.url, { method: 'POST', headers, body: polluting });
    expect(answer.status).toBe(400);
    expect(attacked().takeCalls()).toEqual([]);
    await expectWorks();
  });

  test('may call its extensions what it likes: they are texts, and nobody obeys them', async () => {
    const names = ['constructor', 'prototype', 'hasownproperty', 'tostring', 'then', 'authorization', 'signal'];
    const extensions = Object.fromEntries(names.map((name) => [name, 'polluted']));
    expect(await deliver({ ...change({}), ...extensions })).toMatchObject({ status: 204 });
    await expectWorks();
  });

  test('cannot have a request answered by calling it a change, nor a change by calling it a request', async () => {
    const { magnum } = await createCluster(stage());
    const asked = magnum.requestStatus('CREATE_IN_PROGRESS');
    attacked().takeCalls();
    expect(await deliver(asked)).toMatchObject({ status: 401 });
    expect(await deliver({ ...asked, type: attributes.type })).toMatchObject({ status: 400 });
    expect(await deliver({ ...change({}), type: asked.type, subject: 'x', time: asked.time })).toMatchObject({
      status: 401,
    });
    expect(attacked().takeCalls()).toEqual([]);
  });
});

describe('many changes that nobody with rights has sent', () => {
  test('cost a few reads for each name that they make up, and no write', async () => {
    attacked().takeCalls();
    const names = Array.from({ length: 100 }, (_, index) => `kube-${String(index).padStart(5, 'q')}`);
    const answers = await Promise.all(names.map((name) => deliver(change({ name }))));
    for (const { status } of answers) expect([204, 429, 503]).toContain(status);
    const calls = attacked().takeCalls();
    expect(calls.length).toBeLessThanOrEqual(names.length * 8);
    // Who writes takes a Lease first.
    expect(calls.filter((call) => /^(leases|cluster-)/.test(call))).toEqual([]);
    await expectWorks();
  });

  test('of one name share what they cost, and processor time stays small', async () => {
    const { pid } = attacked().process;
    const before = await processUsage(pid);
    attacked().takeCalls();
    const count = 1000;
    for (let round = 0; round < 10; round += 1) {
      const some = Array.from({ length: count / 10 }, () => deliver(change({})));
      for (const { status } of await Promise.all(some)) expect(status).toBe(204);
    }
    const calls = attacked().takeCalls().length;
    expect(calls).toBeLessThanOrEqual(count / 5);
    const spent = (await processUsage(pid)).processor - before.processor;
    // Seconds; a core of its own takes less than one.
    expect(spent).toBeLessThan(10);
    await expectWorks();
  });
});
