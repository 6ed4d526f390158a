import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { secretsOf } from '../functions/live-objects.ts';
import { acceptedStackId, type EventAnswer, sendEvent } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { attackedFunction } from './attacked-function.ts';

const stage = stageOfFile();
const attacked = attackedFunction(stage, 'create');

const poison = { polluted: 'polluted', prototype: { polluted: 'polluted' } };
/** Names of what every object has. */
const inherited = [
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'then',
  'toJSON',
];

const send = (event: object) => sendEvent(attacked().process.url, event, stage().access.callerToken);

const asObject = z.record(z.string(), z.unknown());

/** The event with more members in the object at a path of its data. */
function withMembers(event: ExampleEvent, path: readonly string[], members: object): object {
  const insert = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => insert(item, key === undefined ? [] : [key, ...rest]));
    // Members called __proto__ stay what they are.
    const entries = Object.entries(asObject.parse(value));
    if (key === undefined) return Object.fromEntries([...entries, ...Object.entries(members)]);
    return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? insert(item, rest) : item]));
  };
  return { ...event, data: insert(event.data, path) };
}

const paths: readonly (readonly string[])[] = [
  [],
  ['cluster'],
  ['cluster', 'labels'],
  ['cluster_template'],
  ['nodegroups'],
  ['nodegroups', 'labels'],
  ['context'],
  ['certificates'],
  ['certificates', 'ca'],
  ['options'],
];

/** A member that JSON.parse makes, and no assignment. */
const reserved: object = JSON.parse(`{"__proto__": ${JSON.stringify(poison)}}`);

async function expectClean(answer: EventAnswer): Promise<void> {
  const name = acceptedStackId(answer);
  const cluster = await stage().kubernetes.get(resources.cluster, { namespace, name });
  expect(JSON.stringify([cluster, await secretsOf(stage().kubernetes, name)])).not.toContain('polluted');
}

const rejection = z.object({ message: z.string() });

describe('a member of the data', () => {
  test.each(paths.map((path) => [path.join('.') || 'the data itself', path] as const))(
    'called __proto__ in %s is refused before any call',
    async (_title, path) => {
      const event = withMembers(await createEvent(stage().cloud), path, reserved);
      attacked().takeCalls();
      expect(await send(event)).toMatchObject({ status: 400, data: { code: 'invalid_event' } });
      for (const call of attacked().takeCalls()) expect(['tokenreviews', 'subjectaccessreviews']).toContain(call);
    },
  );

  test('with the name of what every object has changes nothing, wherever it stands', async () => {
    const members = Object.fromEntries(inherited.map((name) => [name, poison]));
    const labels = Object.fromEntries(inherited.map((name) => [name, 'polluted']));
    let event: object = await createEvent(stage().cloud);
    for (const path of paths) {
      event = withMembers(event as ExampleEvent, path, path.includes('labels') ? labels : members);
    }
    await expectClean(await send(event));
    const plain = await createEvent(stage().cloud);
    await expectClean(await send(plain));
  });

  test('beside the data is refused, whatever it is called', async () => {
    const event = await createEvent(stage().cloud);
    for (const name of ['__proto__', '__defineGetter__', 'hasOwnProperty', 'a_b']) {
      const text = JSON.stringify(event).replace('{', `{${JSON.stringify(name)}: "polluted",`);
      expect(await send(JSON.parse(text)), name).toMatchObject({ status: 400 });
    }
  });
});

describe('a label', () => {
  test.each([
    ['of 10,000 characters', { kube_tag: 'v'.repeat(10_000) }],
    ['of 10,000 characters that is a number', { boot_volume_size: '9'.repeat(10_000) }],
    ['of control characters', { kube_tag: 'v1.33.4\r\n\0' }],
    ['with a template in it', { kube_tag: '{{ .builtin }}' }],
    ['with a command in it', { kube_tag: '$(reboot)' }],
  ])('%s is a rejection of one short sentence, and nothing is written', async (_title, labels) => {
    const event = await createEvent(stage().cloud, { labels });
    attacked().takeCalls();
    const answer = await send(event);
    expect(answer).toMatchObject({ status: 200, type: 'org.openstack.magnum.operation.rejected.v1' });
    const { message } = rejection.parse(answer.data);
    expect(message.length).toBeLessThan(2000);
    expect(
      await stage().kubernetes.list(resources.cluster, { namespace, labelSelector: `cluster-uuid=${event.subject}` }),
    ).toEqual([]);
  });

  test('beside 10,000 others that nobody knows is still one of a cluster', async () => {
    const others = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`unknown-${index}`, 'polluted']));
    const answer = await send(await createEvent(stage().cloud, { labels: others }));
    await expectClean(answer);
  });
});
