import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Manifest } from '../../local/manifests/read-manifests.ts';
import { changesOf } from './changed-objects.ts';
import { kustomized, withComponents } from './kustomize.ts';
import { environmentOf, servicesOf } from './services.ts';

const base = await kustomized('base');

const destination = z.object({ ref: z.looseObject({ name: z.string() }), audience: z.string() });
const sinks = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    subscriber: z.looseObject({ audience: z.string().optional() }).optional(),
    delivery: z.looseObject({ deadLetterSink: destination }),
  }),
});
const role = z.looseObject({
  rules: z.array(z.object({ resources: z.array(z.string()), verbs: z.array(z.string()) })),
});
const binding = z.looseObject({
  roleRef: z.looseObject({ name: z.string() }),
  subjects: z.array(z.object({ kind: z.literal('ServiceAccount'), name: z.string(), namespace: z.string() })),
});
const eventPolicy = z.looseObject({
  spec: z.object({
    to: z.array(z.object({ ref: z.looseObject({ kind: z.string(), name: z.string() }) })),
    from: z.array(
      z.union([
        z.object({ ref: z.looseObject({ kind: z.string(), name: z.string() }) }),
        z.object({ sub: z.string() }),
      ]),
    ),
  }),
});

describe('the component oidc', async () => {
  const objects = await withComponents('oidc');
  const audiences = new Map(servicesOf(objects).map((each) => [each.metadata.name, environmentOf(each)]));
  const senders = objects
    .filter(({ kind }) => kind === 'Trigger' || kind === 'Broker')
    .map((each) => sinks.parse(each));

  test.each(['magnum-status', 'magnum-health', 'magnum-dead-letters'])(
    'lets %s check tokens for itself alone',
    (name) => {
      expect(audiences.get(name)).toMatchObject({
        BROKER_AUTH: 'oidc',
        BROKER_AUDIENCE: `serving.knative.dev/service/magnum-system/${name}`,
      });
    },
  );

  test('leaves functions alone that take no events of a broker', () => {
    for (const name of ['create', 'resize', 'upgrade', 'delete']) {
      expect(audiences.get(`magnum-${name}`)).not.toHaveProperty('BROKER_AUTH');
    }
  });

  test('asks for tokens of the audience that the function at the other end checks', () => {
    for (const { spec } of senders) {
      const subscriber = destination.safeParse(spec.subscriber);
      const targets = [spec.delivery.deadLetterSink, ...(subscriber.success ? [subscriber.data] : [])];
      for (const { ref, audience } of targets) {
        expect(audience).toBe(audiences.get(ref.name)?.['BROKER_AUDIENCE']);
      }
    }
    expect(senders.filter(({ spec }) => destination.safeParse(spec.subscriber).success)).toHaveLength(4);
  });

  test('grants delivery to the account that Eventing makes for each Trigger, and to no other', () => {
    for (const target of ['magnum-status', 'magnum-health', 'magnum-dead-letters']) {
      const name = `${target}-deliver`;
      const { rules } = role.parse(objectOf('Role', name));
      expect(rules).toMatchObject([{ resources: [target.replace('magnum-', '')], verbs: ['deliver'] }]);
      const bound = binding.parse(objectOf('RoleBinding', name));
      expect(bound.roleRef.name).toBe(name);
      expect(bound.subjects.map((each) => each.name).toSorted()).toEqual(accountsFor(target).toSorted());
    }
  });

  function objectOf(wanted: string, name: string): Manifest | undefined {
    return objects.find(({ kind, metadata }) => kind === wanted && metadata.name === name);
  }

  /** Every Trigger has the same sink of dead letters. */
  function accountsFor(target: string): readonly string[] {
    const delivering = senders.filter(({ spec }) => {
      const { data } = destination.safeParse(spec.subscriber);
      return spec.subscriber !== undefined && [data?.ref.name, spec.delivery.deadLetterSink.ref.name].includes(target);
    });
    return delivering.map(({ metadata }) => oidcAccount(metadata.name));
  }

  test('lets all who send to the Broker send, and nobody else', () => {
    const { spec } = eventPolicy.parse(objects.find(({ kind }) => kind === 'EventPolicy'));
    expect(spec.to.map(({ ref }) => `${ref.kind} ${ref.name}`)).toEqual(['Broker magnum']);
    const from = spec.from.map((each) => ('ref' in each ? `${each.ref.kind} ${each.ref.name}` : each.sub));
    // Reports that answer an event come back with the token of its Trigger.
    const answered = ['Trigger magnum-status-objects', 'Trigger magnum-health-objects'];
    const replays = 'system:serviceaccount:magnum-system:magnum-dead-letters';
    expect(from.toSorted()).toEqual([...senderObjects(objects), ...answered, replays].toSorted());
  });

  test('changes environments and destinations, and nothing else', () => {
    const { added, removed, changed } = changesOf(base, objects);
    expect(removed).toEqual([]);
    expect(added.map((title) => title.split(' ')[0])).toEqual([
      'ClusterRoleBinding',
      'EventPolicy',
      ...Array.from({ length: 3 }, () => 'Role'),
      ...Array.from({ length: 3 }, () => 'RoleBinding'),
    ]);
    for (const path of Object.keys(changed)) expect(path).toMatch(/\/env\/\d+$|\/audience$/);
  });
});

/** kmeta.ChildName of Knative, as long as the name is no longer than 63 characters. */
function oidcAccount(trigger: string): string {
  const name = `${trigger}-oidc-eventing.knative.dev-trigger`;
  expect(name.length).toBeLessThanOrEqual(63);
  return name;
}

/** Objects that are told to send to the Broker. */
function senderObjects(objects: readonly Manifest[]): readonly string[] {
  const kinds = ['ApiServerSource', 'PingSource', 'SinkBinding'];
  return objects.filter(({ kind }) => kinds.includes(kind)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}
