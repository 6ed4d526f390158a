import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { unknownNames, unusedMetrics } from './named-metrics.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

const rule = z.strictObject({
  alert: z.string().regex(/^MagnumCapi[A-Za-z]+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
  annotations: z.strictObject({ summary: z.string(), description: z.string() }),
});
const rules = z
  .object({
    kind: z.literal('PrometheusRule'),
    spec: z.object({ groups: z.array(z.object({ rules: z.array(rule) })) }),
  })
  .parse(load(read('alerts.yaml')))
  .spec.groups.flatMap((group) => group.rules);

const panel = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  targets: z.array(z.object({ expr: z.string() })).default([]),
});
const { panels } = z.object({ panels: z.array(panel) }).parse(JSON.parse(read('grafana-dashboard.json')));
const targets = panels.flatMap(({ title, targets: all }) => all.map(({ expr }) => [title, expr] as const));

test.each(rules.map(({ alert, expr }) => [alert, expr] as const))(
  'alert %s names metrics and labels that there are',
  (_alert, expr) => {
    expect(unknownNames(expr)).toEqual([]);
    expect(isBalanced(expr)).toBe(true);
  },
);

test.each(targets)('panel %s names metrics and labels that there are: %s', (_title, expr) => {
  expect(unknownNames(expr)).toEqual([]);
  expect(isBalanced(expr)).toBe(true);
});

test('a sentence of an alert tells only labels that its expression leaves', () => {
  for (const { alert, expr, annotations } of rules) {
    const told = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    for (const label of told) expect(expr, alert).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
  }
});

test('every metric but those of the process itself stands in the dashboard', () => {
  const unused = unusedMetrics(targets.map(([, expr]) => expr));
  expect(unused).toEqual([
    'magnum_capi_resync_duration_seconds',
    'process_start_time_seconds',
    'process_cpu_seconds_total',
  ]);
});

test('panels have ids of their own, and none lies over another', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
});

describe('a name that is wrong is found', () => {
  test.each([
    ['magnum_capi_event_total{}', 'There is no series magnum_capi_event_total.'],
    ['magnum_capi_event_duration_seconds', 'There is no series magnum_capi_event_duration_seconds.'],
    ['magnum_capi_events_total{kind="x"}', 'magnum_capi_events_total has no label kind.'],
    ['sum by (target) (magnum_capi_events_total)', 'No metric of it has the label target.'],
    ['up == 0', 'It names no metric.'],
  ])('%s', (expr, sentence) => {
    expect(unknownNames(expr)).toEqual([sentence]);
  });
});

/** Parentheses, braces and brackets outside of quoted texts. */
function isBalanced(expr: string): boolean {
  const pairs: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[' };
  const open: string[] = [];
  for (const character of expr.replace(/"(?:[^"\\]|\\.)*"/g, '')) {
    if (Object.values(pairs).includes(character)) open.push(character);
    else if (character in pairs && open.pop() !== pairs[character]) return false;
  }
  return open.length === 0;
}
