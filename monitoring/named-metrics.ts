import { type MetricDefinition, metricTable } from '../shared/telemetry/metric-table.ts';
import { listenerMetrics } from '../shared/telemetry/metrics-document.ts';

/** What Prometheus adds to each series by where it has it from. */
const targetLabels = ['job', 'instance', 'namespace', 'pod'];

const known: readonly MetricDefinition[] = [...Object.values(metricTable), ...listenerMetrics()];

/** Names that a metric has in Prometheus, with the labels of each. */
const series = new Map(known.flatMap(seriesOf));

function seriesOf({ name, type, labels }: MetricDefinition): [string, readonly string[]][] {
  if (type !== 'histogram') return [[name, labels]];
  return [
    [`${name}_bucket`, [...labels, 'le']],
    [`${name}_sum`, labels],
    [`${name}_count`, labels],
  ];
}

/** Words of PromQL that stand where a metric can stand. */
const names = /\b(?<name>(?:magnum_capi|process|nodejs)_[a-z_]+)\b(?:\{(?<matchers>[^}]*)\})?/g;
const matcher = /(?<label>\w+)\s*(?:=~|!~|!=|=)\s*"(?:[^"\\]|\\.)*"/g;
const grouping = /\b(?:by|on|without|ignoring)\s*\((?<labels>[^)]*)\)/g;

/** What is wrong with the metrics of an expression, a sentence each: names and labels that no table has. */
export function unknownNames(expression: string): readonly string[] {
  const found = [...expression.matchAll(names)].map(({ groups }) => ({
    name: groups?.['name'] ?? '',
    matchers: groups?.['matchers'] ?? '',
  }));
  const grouped = [...expression.matchAll(grouping)].flatMap(({ groups }) =>
    (groups?.['labels'] ?? '').split(',').map((label) => label.trim()),
  );
  const all = new Set([...targetLabels, ...found.flatMap(({ name }) => series.get(name) ?? [])]);
  return [
    ...(found.length === 0 ? ['It names no metric.'] : []),
    ...found.flatMap(wrongMatchers),
    ...grouped.filter((label) => !all.has(label)).map((label) => `No metric of it has the label ${label}.`),
  ];
}

function wrongMatchers({ name, matchers }: { readonly name: string; readonly matchers: string }): readonly string[] {
  const labels = series.get(name);
  if (labels === undefined) return [`There is no series ${name}.`];
  const asked = [...matchers.matchAll(matcher)].map(({ groups }) => groups?.['label'] ?? '');
  return asked
    .filter((label) => ![...targetLabels, ...labels].includes(label))
    .map((label) => `${name} has no label ${label}.`);
}

/** Series names of a table that none of the expressions names. */
export function unusedMetrics(expressions: readonly string[]): readonly string[] {
  const text = expressions.join('\n');
  return known.map(({ name }) => name).filter((name) => !text.includes(name));
}
