import { ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { highResolutionTime, instrumentationScope } from './exported-time.ts';
import type { Measured, Metrics, Series } from './metrics.ts';

interface Period {
  readonly startTime: [number, number];
  readonly endTime: [number, number];
}

/** All metrics as OpenTelemetry's exporter takes them, counted from the start of the process. */
export function exportedMetrics(metrics: Metrics, resource: Resource): ResourceMetrics {
  const period = { startTime: highResolutionTime(metrics.started), endTime: highResolutionTime(Date.now()) };
  const measured = metrics.measured().filter(({ series }) => series.length > 0);
  return {
    resource,
    scopeMetrics: [{ scope: instrumentationScope, metrics: measured.map((metric) => metricData(metric, period)) }],
  };
}

function metricData(metric: Measured, period: Period): MetricData {
  const { name, help: description, type, series } = metric;
  const common = {
    descriptor: { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const point = <Value>(one: Series, value: Value): DataPoint<Value> => ({ ...period, attributes: one.labels, value });
  const numbers = () => series.map((one) => point(one, one.value));
  if (type === 'gauge') return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: numbers() };
  if (type === 'counter')
    return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers() };
  const dataPoints = series.map((one) => point(one, histogram(metric.buckets ?? [], one)));
  return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
}

function histogram(boundaries: readonly number[], { value: sum, counts }: Series) {
  const count = counts.reduce((total, one) => total + one, 0);
  return { buckets: { boundaries: [...boundaries], counts: [...counts] }, sum, count };
}

/** UCUM, from the name: whoever makes Prometheus' names of it finds the unit there already. A `1` would make a ratio of a gauge. */
function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return name.endsWith('_bytes') ? 'By' : '';
}
