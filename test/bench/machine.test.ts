import { expect, test } from 'vitest';
import { describeCircumstances, kernelOf, readCircumstances } from './machine.ts';

test('a machine is described by what it is, not by its name', () => {
  const described = describeCircumstances({
    processor: 'AMD EPYC ',
    cores: 2,
    memory: 24.8 * 1024 ** 3,
    kernel: 'Linux 6.18.44',
    node: 'v24.21.0',
    date: new Date('2026-11-30T22:00:00Z'),
    commit: 'abc1234',
  });
  expect(described).toBe('AMD EPYC, 2 cores, 25 GiB, Linux 6.18.44, Node 24.21.0; 2026-11-30, commit abc1234');
});

test.each([
  ['6.18.44-somewhere-v1', 'Linux 6.18.44'],
  ['6.1.0', 'Linux 6.1.0'],
  ['unknown', 'Linux'],
])('of the kernel %s only the version is told', (release, expected) => {
  expect(kernelOf('Linux', release)).toBe(expected);
});

test('this machine can be described', async () => {
  const { processor, cores, memory, node, commit } = await readCircumstances();
  expect(processor).not.toBe('');
  expect(cores).toBeGreaterThan(0);
  expect(memory).toBeGreaterThan(0);
  expect(node).toBe(process.version);
  expect(commit).toMatch(/^(?:[0-9a-f]{7,}\+?|unknown)$/);
});
