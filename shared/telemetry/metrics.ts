import { type LabelsOf, type MetricDefinition, type MetricKey, metricTable } from './metric-table.ts';

/** One combination of label values, and what was measured for it. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** Of a histogram the sum. */
  value: number;
  /** Observations by the first bucket that takes them, the last for what is above all bounds; of histograms only. */
  readonly counts: number[];
}

export interface Measured extends MetricDefinition {
  readonly series: readonly Series[];
}

/**
 * Combinations of label values of one metric. All of ours are bounded by what they name; this holds even where one is not: what would
 * be more is left out.
 */
const mostSeries = 500;

type Keys<Type extends MetricDefinition['type']> = {
  [Key in MetricKey]: (typeof metricTable)[Key]['type'] extends Type ? Key : never;
}[MetricKey];

/** What one process has measured so far. */
export class Metrics {
  readonly started = Date.now();
  readonly #series = new Map<string, Map<string, Series>>();
  readonly #measures: ((metrics: Metrics) => void)[] = [];

  add<Key extends Keys<'counter'>>(key: Key, labels: LabelsOf<Key>, amount = 1): void {
    const series = this.#seriesOf(key, labels);
    if (series !== undefined) series.value += amount;
  }

  set<Key extends Keys<'gauge' | 'counter'>>(key: Key, labels: LabelsOf<Key>, value: number): void {
    const series = this.#seriesOf(key, labels);
    if (series !== undefined) series.value = value;
  }

  observe<Key extends Keys<'histogram'>>(key: Key, labels: LabelsOf<Key>, value: number): void {
    const series = this.#seriesOf(key, labels);
    if (series === undefined) return;
    const { buckets } = metricTable[key];
    const above = buckets.findIndex((bound) => value <= bound);
    const index = above === -1 ? buckets.length : above;
    series.value += value;
    series.counts[index] = (series.counts[index] ?? 0) + 1;
  }

  /** Has something measured whenever somebody asks, so that it costs nothing in between. */
  whenAsked(measure: (metrics: Metrics) => void): void {
    this.#measures.push(measure);
  }

  /** All of them as they are now, also those that nothing was measured for. */
  measured(): readonly Measured[] {
    for (const measure of this.#measures) measure(this);
    return Object.entries(metricTable).map(([key, definition]) => ({
      ...definition,
      series: [...(this.#series.get(key)?.values() ?? [])],
    }));
  }

  #seriesOf<Key extends MetricKey>(key: Key, labels: LabelsOf<Key>): Series | undefined {
    const all = this.#series.get(key) ?? new Map<string, Series>();
    this.#series.set(key, all);
    const { labels: names, ...definition }: MetricDefinition = metricTable[key];
    const given: Readonly<Record<string, string>> = labels;
    const id = JSON.stringify(names.map((name) => given[name]));
    const known = all.get(id);
    if (known !== undefined || all.size >= mostSeries) return known;
    const counts = new Array<number>(definition.buckets === undefined ? 0 : definition.buckets.length + 1).fill(0);
    const series: Series = { labels: { ...given }, value: 0, counts };
    all.set(id, series);
    return series;
  }
}
