import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { letterOfEvent } from '../../functions/dead-letters/letter-of-event.ts';
import { type SubscriberUnderTest, startSubscriber } from '../../local/testing/subscriber.ts';
import { letterConfigMap, letterName, letterSelector } from '../../shared/dead-letters/dead-letter.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { changeBroker, createBroker, leadTo, ownAddress } from './broker-behind-api.ts';
import { listenerDown, report } from './dead-event.ts';
import { runCli } from './run-cli.ts';

let controlPlane: ControlPlane;
let api: KubernetesApi;
let kubernetes: KubernetesClient;
let broker: SubscriberUnderTest;
beforeAll(async () => {
  controlPlane = await startControlPlane({ managers: false });
  const { server, caCertificate, adminToken } = controlPlane;
  api = connectApi({ server, caCertificate, token: adminToken });
  kubernetes = createKubernetesClient({ server, caCertificate, token: async () => adminToken });
  await createBroker(api);
});
afterAll(async () => {
  api?.close();
  kubernetes?.close();
  await controlPlane?.stop();
});
beforeEach(async () => {
  broker = await startSubscriber([], ownAddress);
});
afterEach(async () => {
  await broker.close();
  for (const name of await names()) await kubernetes.delete(resources.configMap, { namespace, name });
});

const deadLetters = (...args: readonly string[]) =>
  runCli('dead-letters', ...args, '--kubeconfig', controlPlane.kubeconfigPath);

async function names(): Promise<readonly string[]> {
  const objects = await kubernetes.list(resources.configMap, { namespace, labelSelector: letterSelector });
  return objects.map(({ metadata }) => metadata?.name ?? '');
}

const reportEvent = {
  source: '/functions/health',
  type: 'org.openstack.magnum.cluster.health.v1',
  subject: report.cluster_uuid,
  time: '2026-11-30T06:00:00Z',
  extensions: { partitionkey: report.cluster_uuid, ...listenerDown },
};

/** Keeps a letter as the function does. @returns its name */
async function keep(id: string, data: object = report): Promise<string> {
  const letter = letterOfEvent({ ...reportEvent, id, data }, new Date(Date.now() - 3 * 60_000));
  await kubernetes.apply(resources.configMap, letterConfigMap(letter), { force: true });
  return letterName(letter);
}

describe('looking at dead letters', () => {
  test('says that there are none', async () => {
    expect(await deadLetters()).toEqual({ exitCode: 0, output: '', notes: 'There are no dead letters.\n' });
  });

  test('lists age, type, cluster, destination, code and reason of each', async () => {
    const name = await keep('1');
    const { output, exitCode } = await deadLetters('list');
    const [titles = '', line = '', ...others] = output.trimEnd().split('\n');
    expect({ exitCode, others }).toEqual({ exitCode: 0, others: [] });
    expect(titles.split(/\s+/)).toEqual(['NAME', 'AGE', 'TYPE', 'ABOUT', 'DESTINATION', 'CODE', 'REASON']);
    const reason = "Magnum's database cannot be used.";
    expect(line.split(/\s{2,}/)).toEqual([
      ...[name, '3m', 'cluster.health', 'kube-aaaaa', 'magnum-listener.example.org:8790', '503', reason],
    ]);
  });

  test('shows one with its event, for scripts too', async () => {
    const name = await keep('1');
    await keep('2');
    const { output } = await deadLetters('show', name.replace('dead-letter-', ''));
    expect(output).toContain(reportEvent.type);
    expect(output).toContain('"health_status": "HEALTHY"');
    expect(output).not.toContain('the-secret-of-the-listener');
    const letter = { name, code: '503', whole: true, event: { id: '1', data: report } };
    expect(JSON.parse((await deadLetters('show', name, '-o', 'json')).output)).toMatchObject({ letters: [letter] });
    const all = load((await deadLetters('list', '-o', 'yaml')).output);
    expect(all).toMatchObject({ letters: [{ event: { id: '1' } }, { event: { id: '2' } }] });
  });

  test('shows a text of its sender in its place, and obeys none', async () => {
    await keep('1', { ...report, stack_id: 'kube-aaaaa\u001b[2J\nNAME  AGE\u009b1A' });
    for (const action of [['list'], ['show', '--all']]) {
      const { output } = await deadLetters(...action);
      expect(output).toContain('kube-aaaaa\ufffd[2J NAME AGE\ufffd1A');
      expect(output).not.toContain('\u001b');
      expect(output).not.toContain('\u009b');
    }
  });

  test('names what is not there', async () => {
    expect(await deadLetters('show', 'abc')).toEqual({
      exitCode: 1,
      output: '',
      notes: 'magnum-capi: There is no dead letter dead-letter-abc.\n',
    });
  });
});

describe('a replay', () => {
  test.skipIf(ownAddress === undefined)(
    'goes through the API server to the Broker, and takes the letter away',
    async () => {
      const name = await keep('1');
      await leadTo(api, Number(new URL(broker.url).port));
      const { exitCode, output } = await deadLetters('replay', name);
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: `✓ 1/1 ${name} sent again\n` });
      const [event] = broker.events;
      expect(event?.path).toBe('/magnum-system/magnum');
      expect(event?.headers).toMatchObject({
        'ce-id': '1',
        'ce-source': '/functions/health',
        'ce-type': reportEvent.type,
        'ce-subject': report.cluster_uuid,
        'ce-time': reportEvent.time,
        'ce-partitionkey': report.cluster_uuid,
      });
      expect(Object.keys(event?.headers ?? {}).filter((each) => each.startsWith('ce-knative'))).toEqual([]);
      expect(event?.headers).not.toHaveProperty('authorization');
      expect(JSON.parse(event?.body ?? '')).toEqual(report);
      expect(await names()).toEqual([]);
    },
  );

  test('to an address keeps what is not taken, says why, and goes on', async () => {
    const refusing = await startSubscriber([{ status: 400, body: 'no such broker' }, { status: 202 }]);
    const [first, second] = [await keep('1'), await keep('2')];
    const { exitCode, output } = await deadLetters('replay', '--all', '--to', refusing.url);
    expect(exitCode).toBe(1);
    const [refused = '', taken = ''] = output.trimEnd().split('\n');
    expect(refused).toMatch(/^✗ 1\/2 dead-letter-\w+ not taken \(400 no such broker\)$/);
    expect(taken).toMatch(/^✓ 2\/2 dead-letter-\w+ sent again$/);
    const [left] = await names();
    expect(refused).toContain(left);
    expect([first, second]).toContain(left);
    await refusing.close();
  });

  test('shows a token to the address that it is for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'token-'));
    await writeFile(join(folder, 'token'), 'abc.def.ghi\n');
    await keep('1');
    await deadLetters('replay', '--all', '--to', broker.url, '--token-file', join(folder, 'token'));
    expect(broker.events).toMatchObject([{ headers: { authorization: 'Bearer abc.def.ghi' } }]);
    await rm(folder, { recursive: true });
  });

  test('leaves a letter whose event has died again meanwhile', async () => {
    const name = await keep('1');
    // A broker that is quick to fail: the letter comes again before its answer.
    const failing = await startSubscriber(['hang']);
    const running = deadLetters('replay', name, '--to', failing.url, '-o', 'json');
    await failing.received(1);
    await keep('1');
    failing.answer({ status: 202 });
    expect(JSON.parse((await running).output)).toEqual({ letters: [{ name, outcome: 'again', detail: '' }] });
    expect(await names()).toEqual([name]);
    await failing.close();
  });

  test('does not send what is not whole', async () => {
    const name = await keep('1', { ...report, password: 'hunter2' });
    const { exitCode, output } = await deadLetters('replay', '--all', '--to', broker.url);
    expect({ exitCode, output }).toEqual({
      exitCode: 1,
      output: `✗ 1/1 ${name} not sent (something of it was hidden or cut)\n`,
    });
    expect(broker.events).toEqual([]);
    expect(await names()).toEqual([name]);
  });

  test('ends at once where nobody listens, and keeps every letter', async () => {
    await Promise.all([keep('1'), keep('2')]);
    const gone = await startSubscriber();
    await gone.close();
    const { exitCode, notes } = await deadLetters('replay', '--all', '--to', gone.url);
    expect(exitCode).toBe(1);
    expect(notes).toMatch(/^magnum-capi: 127\.0\.0\.1:\d+ cannot be reached: .*\.\n$/);
    expect(await names()).toHaveLength(2);
  });

  test('says what to do where the Broker demands a token', async () => {
    await keep('1');
    await changeBroker(api, { address: { audience: 'eventing.knative.dev/broker/magnum-system/magnum' } });
    const { exitCode, notes } = await deadLetters('replay', '--all');
    expect(exitCode).toBe(1);
    expect(notes).toContain('--to and --token-file');
    await changeBroker(api, { address: { audience: null } });
  });
});

test('letters are deleted, some or all', async () => {
  const [first] = [await keep('1'), await keep('2')];
  expect(await deadLetters('delete', first)).toMatchObject({ exitCode: 0, output: `${first} deleted\n` });
  expect(await names()).toHaveLength(1);
  expect(await deadLetters('delete', '--all')).toMatchObject({ exitCode: 0 });
  expect(await names()).toEqual([]);
});

test.each([
  [['replay'], 'Name letters to replay, or say --all.'],
  [['replay', 'a', '--all'], 'Say either --all or names.'],
  [['list', 'a'], '"list" lists all'],
  [['list', '--to', 'http://b.example/'], 'Only "replay" sends'],
  [['replay', '--all', '--token-file', 'x'], 'by --to'],
  [['burn'], 'Invalid values'],
])('wrong usage is told: %j', async (args, sentence) => {
  const { exitCode, notes } = await deadLetters(...args);
  expect(exitCode).toBe(2);
  expect(notes).toContain(sentence);
});
