import { describe, expect, test } from 'vitest';
import type { ObservedRotation } from '../rotation.ts';
import { derived, nodegroup } from '../testing/derived.ts';
import { cluster, record } from '../testing/objects.ts';

function rotating(rotation: ObservedRotation | undefined) {
  return { cluster: cluster({ records: { '': record('cluster.credential.rotate') } }), rotation };
}

describe('a rotation is not complete', () => {
  test.each<[string, ObservedRotation | undefined, string]>([
    ['before anybody has looked', undefined, 'not checked yet'],
    ['while it waits for something', { kind: 'waiting', told: 'DaemonSet x is slow.' }, 'DaemonSet x is slow.'],
    ['before the workloads restart', { kind: 'restart', hash: 'f00' }, 'have to restart'],
    ['before the old credential is deleted', { kind: 'moved', credentialId: 'c0ffee', replaced: 1 }, 'not deleted yet'],
  ])('%s', (_when, rotation, reason) => {
    const { report, completed, isOpen } = derived(rotating(rotation));
    expect(report).toMatchObject({ action: 'UPDATE', state: 'IN_PROGRESS' });
    expect(report.status_reason).toContain(reason);
    expect([completed, isOpen]).toEqual([[], true]);
    expect(nodegroup('default-worker', rotating(rotation))).toMatchObject({ state: 'COMPLETE', status_reason: null });
  });
});

test('once nothing uses the old credential any more, it is', () => {
  const { report, completed } = derived(rotating({ kind: 'moved', credentialId: 'c0ffee', replaced: 0 }));
  expect(report).toMatchObject({ action: 'UPDATE', state: 'COMPLETE', status_reason: null });
  expect(completed).toMatchObject([{ nodegroup: null, record: { type: 'cluster.credential.rotate' } }]);
});
