import { expect, test, vi } from 'vitest';
import { type FaultRule, FaultRules, type FaultTarget } from './fault-rules.ts';

const worker: FaultTarget = { cluster: 'kube-abcde', machine: { name: 'kube-abcde-w-1', isControlPlane: false } };
const master: FaultTarget = { cluster: 'kube-abcde', machine: { name: 'kube-abcde-m-1', isControlPlane: true } };
const cluster: FaultTarget = { cluster: 'kube-abcde' };

test.each<[string, Partial<FaultRule>, readonly boolean[]]>([
  ['no scope', {}, [true, true, true]],
  ['its cluster', { cluster: 'kube-abcde' }, [true, true, true]],
  ['another cluster', { cluster: 'kube-other' }, [false, false, false]],
  ['workers', { role: 'worker' }, [true, false, false]],
  ['control planes', { role: 'control-plane' }, [false, true, false]],
  ['a machine', { machine: /-m-1$/ }, [false, true, false]],
  ['a machine of another role', { machine: /-m-1$/, role: 'worker' }, [false, false, false]],
])('A rule with %s holds where it should', (_, scope, expected) => {
  const rules = new FaultRules(() => undefined);
  rules.set({ ...scope, kind: 'stays-in-build' });
  expect([worker, master, cluster].map((target) => rules.find('stays-in-build', target) !== undefined)).toEqual(
    expected,
  );
  expect(rules.find('never-joins', worker)).toBeUndefined();
});

test('A rule holds until it is removed, and each change is told once', () => {
  const onChange = vi.fn();
  const rules = new FaultRules(onChange);
  const remove = rules.set({ kind: 'infrastructure-fails', part: 'router' });
  expect(rules.findPart('router', 'kube-abcde')).toBeDefined();
  expect(rules.findPart('network', 'kube-abcde')).toBeUndefined();
  remove();
  remove();
  expect(rules.findPart('router', 'kube-abcde')).toBeUndefined();
  expect(onChange).toHaveBeenCalledTimes(2);
});
