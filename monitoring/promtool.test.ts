import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findProgram } from '../test/env/debian-packages.ts';
import { runCommand } from '../test/env/run-command.ts';

const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

const annotations = z.object({ summary: z.string() });
const ruleFile = z
  .object({
    spec: z.object({
      groups: z.array(z.looseObject({ rules: z.array(z.looseObject({ alert: z.string(), annotations })) })),
    }),
  })
  .transform(({ spec }) => spec);
const testFile = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
    }),
  ),
});
const dashboard = z.object({
  panels: z.array(z.object({ id: z.number(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

/** Prometheus' own tool, as Debian's package `prometheus` has it. */
const promtool = await findProgram('promtool');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promtool-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(promtool === undefined)('Prometheus', () => {
  const run = (...given: readonly string[]) => runCommand(promtool ?? '', given, { directory: folder });

  test('takes the rules, and has each alert fire when it should and not otherwise', async () => {
    await writeFile(join(folder, 'rules.yaml'), dump(ruleFile.parse(load(await read('alerts.yaml')))));
    await writeFile(join(folder, 'alerts.test.yaml'), await read('alerts.test.yaml'));
    expect(await run('check', 'rules', 'rules.yaml')).toContain('SUCCESS');
    expect(await run('test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS');
  });

  test('can read what every panel asks', async () => {
    const { panels } = dashboard.parse(JSON.parse(await read('grafana-dashboard.json')));
    const rules = panels.flatMap(({ id, targets }) =>
      targets.map(({ expr }, at) => ({ record: `panel:${id}:${at}`, expr: withTimes(expr) })),
    );
    await writeFile(join(folder, 'panels.yaml'), dump({ groups: [{ name: 'panels', rules }] }));
    expect(await run('check', 'rules', 'panels.yaml')).toContain(`${rules.length} rules found`);
  });
});

test('every alert has a case in which it fires', async () => {
  const alerts = ruleFile.parse(load(await read('alerts.yaml'))).groups.flatMap(({ rules }) => rules);
  const cases = testFile.parse(load(await read('alerts.test.yaml'))).tests.flatMap((one) => one.alert_rule_test);
  const fired = cases.filter(({ exp_alerts }) => exp_alerts.length > 0).map(({ alertname }) => alertname);
  expect([...new Set(fired)].toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

/** Grafana's variables, as it fills them in. */
function withTimes(expr: string): string {
  return expr.replaceAll(/\$__(?:range|rate_interval|interval)/g, '5m').replaceAll('$function', 'create|status');
}
