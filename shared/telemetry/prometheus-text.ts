import type { Measured, Series } from './metrics.ts';

/** Metrics in Prometheus' text format 0.0.4. */
export function prometheusText(metrics: readonly Measured[]): string {
  const lines = metrics.flatMap((metric) => {
    const { name, type, help, series } = metric;
    if (series.length === 0) return [];
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...series.flatMap((one) => linesOf(metric, one))];
  });
  return `${lines.join('\n')}\n`;
}

function linesOf({ name, buckets }: Measured, { labels, value, counts }: Series): readonly string[] {
  if (buckets === undefined) return [`${name}${labelText(labels)} ${value}`];
  let total = 0;
  const bounds = [...buckets.map(String), '+Inf'];
  const lines = bounds.map((le, index) => {
    total += counts[index] ?? 0;
    return `${name}_bucket${labelText({ ...labels, le })} ${total}`;
  });
  return [...lines, `${name}_sum${labelText(labels)} ${value}`, `${name}_count${labelText(labels)} ${total}`];
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
