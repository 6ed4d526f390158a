import { expect, test } from 'vitest';
import { mergeSections, sectionText } from './benchmarks-document.ts';
import type { Section } from './measurement.ts';

const measured = (value: number): Section => ({
  measurements: [{ what: 'it', value, unit: 'ms', budget: null }],
  notes: ['A note.'],
});

test('a section says on what and when it was measured, and what was left out', () => {
  const lines = sectionText('memory', measured(1), 'EPYC; 2026-11-30').split('\n');
  expect(lines[0]).toBe('## Memory over 100,000 events');
  expect(lines).toContain('EPYC; 2026-11-30.');
  expect(lines.at(-1)).toBe('A note.');
});

test('a section without measurements has no table', () => {
  const text = sectionText('cold', { measurements: [], notes: ['Left out: nothing works.'] }, 'EPYC');
  expect(text).not.toContain('|');
  expect(text).toContain('Left out: nothing works.');
});

test('a part that runs alone takes the place of its own section and leaves the others', () => {
  const text = (part: 'start' | 'memory', value: number) => sectionText(part, measured(value), `run ${value}`);
  const first = mergeSections(
    '',
    new Map([
      ['memory', text('memory', 1)],
      ['start', text('start', 2)],
    ]),
  );
  const second = mergeSections(first, new Map([['memory', text('memory', 3)]]));
  expect(second).toContain('run 2');
  expect(second).toContain('run 3');
  expect(second).not.toContain('run 1');
  expect(second.indexOf('run 2')).toBeLessThan(second.indexOf('run 3'));
});

test('merging nothing changes nothing', () => {
  const document = mergeSections('', new Map([['start', sectionText('start', measured(1), 'here')]]));
  expect(mergeSections(document, new Map())).toBe(document);
});
