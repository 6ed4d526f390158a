import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelCatalogue } from './label-catalogue.ts';
import type { Outcome } from './reading/fault-list.ts';
import { fullSnapshot, sampleNodegroup, sampleSnapshot } from './sample-snapshots.ts';
import { clusterSnapshot, clusterTemplateSnapshot, magnumOptions, nodegroupSnapshot } from './snapshot.ts';
import { toClusterIntent } from './to-cluster-intent.ts';
import { toNodegroupIntent } from './to-nodegroup-intent.ts';

const anything = fc.oneof(
  fc.jsonValue({ stringUnit: 'binary' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\u0000', '\ud800', '../..', 'x'.repeat(10_000), '1e309', '{{ .x }}', -1, 1.5, 2 ** 53, [[]], {
    a: null,
  }),
);

/** Some of the names with any JSON as value. */
function anyOf(names: readonly string[]) {
  return fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 4 });
}

const named = ['uuid', 'stack_id', 'name', 'status'];
const rows = fc.record({
  labels: anyOf(Object.keys(labelCatalogue)),
  cluster: anyOf(Object.keys(clusterSnapshot.shape).filter((field) => !named.includes(field))),
  template: anyOf(Object.keys(clusterTemplateSnapshot.shape)),
  worker: anyOf(Object.keys(nodegroupSnapshot.shape)),
});

function expectReadable(outcome: Outcome<unknown>): void {
  if ('intent' in outcome) return;
  expect(outcome.faults.length).toBeGreaterThan(0);
  for (const { message, field } of outcome.faults) {
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(message.length).toBeLessThan(400);
    expect(message.isWellFormed()).toBe(true);
    expect(field).toBeDefined();
  }
}

test('any JSON in any field gives an intent or readable faults, never an exception', () =>
  fc.assert(
    fc.property(rows, (changes) => {
      const snapshot = sampleSnapshot(changes);
      expectReadable(toClusterIntent(snapshot));
      expectReadable(toNodegroupIntent(snapshot, sampleNodegroup(changes.worker)));
    }),
    { numRuns: 500 },
  ));

test('an intent holds no control characters, whatever the labels were', () =>
  fc.assert(
    fc.property(rows, (changes) => {
      const outcome = toClusterIntent(sampleSnapshot(changes));
      if ('faults' in outcome) return;
      expect(JSON.stringify(outcome.intent)).not.toMatch(/\\u00[01]|\\[nrtbf]|\\ud/);
    }),
    { numRuns: 300 },
  ));

test('rows are read whatever their fields hold, only what names objects is checked', () =>
  fc.assert(
    fc.property(
      anyOf(Object.keys(clusterSnapshot.shape).filter((field) => !named.includes(field))),
      anything,
      (row, odd) => {
        const { uuid } = fullSnapshot().cluster;
        expect(clusterSnapshot.safeParse({ ...row, uuid, name: odd, status: odd }).success).toBe(true);
        expect(nodegroupSnapshot.safeParse({ name: odd, role: odd, is_default: odd, labels: odd }).success).toBe(true);
        expect(magnumOptions.safeParse(odd).success).toBe(true);
        expect(magnumOptions.safeParse({ drivers: odd, cinder: { default_boot_volume_size: odd } }).success).toBe(true);
      },
    ),
  ));

test.each(['../secrets', 'kube/x', 'Kube-1', 'a'.repeat(64)])('a stack id %j never reaches a path', (stack_id) => {
  const { uuid } = fullSnapshot().cluster;
  expect(clusterSnapshot.safeParse({ uuid, stack_id }).success).toBe(false);
  expect(clusterSnapshot.safeParse({ uuid: stack_id }).success).toBe(false);
});

test('more faults than a screen holds are counted', () => {
  const node_labels = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`bad ${index}`, '']));
  const outcome = toNodegroupIntent(sampleSnapshot(), sampleNodegroup({ node_labels }));
  expect(outcome).toHaveProperty('faults.length', 51);
  expect(outcome).toHaveProperty('faults.50.message', '30 more faults are not shown.');
});
