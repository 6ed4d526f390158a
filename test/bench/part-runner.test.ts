import { expect, test } from 'vitest';
import { PartRunner, type Step } from './part-runner.ts';

const section = (what: string) => ({
  measurements: [{ what, value: 1, unit: '', budget: null }],
  notes: [],
});

const steps: readonly Step<string>[] = [
  { parts: ['resync'], seconds: 1, run: async (stage) => [['resync', section(`${stage}, resync`)]] },
  {
    parts: ['memory'],
    seconds: 1,
    async run() {
      throw new Error('There is none left.', { cause: new Error('All is used') });
    },
  },
  { parts: ['start'], seconds: 1, run: async (stage) => [['start', section(`${stage}, start`)]] },
];

function runner(...wanted: string[]): PartRunner {
  return new PartRunner({ wants: (part) => wanted.includes(part), onProgress: () => undefined });
}

test('a part that fails does not keep the others from running, and is not whole', async () => {
  const all = runner('resync', 'memory', 'start');
  await all.run('one', steps);
  expect([...all.sections.keys()]).toEqual(['start', 'resync']);
  expect(all.failures).toEqual(['Memory over 100,000 events: There is none left. (All is used)']);
  expect([all.isWhole('start'), all.isWhole('memory')]).toEqual([true, false]);
});

test('a part of two stages has what was measured on both, and is not whole where one of them fails', async () => {
  const both = runner('start');
  await both.run('one', steps);
  await both.run('other', steps);
  expect(both.sections.get('start')?.measurements.map(({ what }) => what)).toEqual(['one, start', 'other, start']);
  expect(both.isWhole('start')).toBe(true);
  const failing: Step<string> = { parts: ['start'], seconds: 1, run: async () => Promise.reject(new Error('No.')) };
  await both.run('third', [failing]);
  expect(both.isWhole('start')).toBe(false);
});

test('what nobody wants does not run', async () => {
  const one = runner('start');
  await one.run('one', steps);
  expect(one.failures).toEqual([]);
  expect(one.wantsAny(steps.slice(0, 2))).toBe(false);
});
