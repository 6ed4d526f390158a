import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stackId, stackIdOfObject, stackIdPattern } from './stack-id.ts';

test('a stack id is a valid name for any UUID and attempt', () => {
  return fc.assert(
    fc.property(fc.string(), fc.nat(100), (uuid, attempt) => {
      expect(stackId(uuid, attempt)).toMatch(stackIdPattern);
    }),
  );
});

test('the same UUID and attempt give the same name for ever', () => {
  expect(stackId('21d56b0e-dd80-41ec-b63e-d6fad0deca84', 0)).toBe('kube-v2nyc');
});

test('another attempt or another UUID gives another name', () => {
  const names = [stackId('a', 0), stackId('a', 1), stackId('b', 0)];
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ['kube-abcde', 'kube-abcde'],
  ['kube-abcde-default-worker-x7k2p-9s8df', 'kube-abcde'],
  ['kube-abcde-cloud-config', 'kube-abcde'],
  ['kube-abcdef', null],
  ['kube-abcde.x', null],
  ['kube-ABCDE', null],
  ['my-kube-abcde', null],
  ['', null],
])('an object named %j belongs to %j', (name, owner) => {
  expect(stackIdOfObject(name)).toBe(owner);
});
