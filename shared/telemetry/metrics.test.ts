import { resourceFromAttributes } from '@opentelemetry/resources';
import { expect, test } from 'vitest';
import { exportedMetrics } from './exported-metrics.ts';
import { Metrics } from './metrics.ts';
import { prometheusText } from './prometheus-text.ts';

/** Lines of one metric, without its HELP. */
function textOf(metrics: Metrics, name: string): readonly string[] {
  return prometheusText(metrics.measured())
    .split('\n')
    .filter((line) => line.startsWith(name) || line.startsWith(`# TYPE ${name} `));
}

function exportOf(metrics: Metrics, name: string) {
  const { scopeMetrics } = exportedMetrics(metrics, resourceFromAttributes({}));
  return scopeMetrics[0]?.metrics.find(({ descriptor }) => descriptor.name === name);
}

test('a counter goes on for each combination of its labels', () => {
  const metrics = new Metrics();
  metrics.add('apiRetries', { function: 'create', target: 'kubernetes' });
  metrics.add('apiRetries', { target: 'kubernetes', function: 'create' }, 2);
  metrics.add('apiRetries', { function: 'create', target: 'openstack' });
  expect(textOf(metrics, 'magnum_capi_api_retries_total')).toEqual([
    '# TYPE magnum_capi_api_retries_total counter',
    'magnum_capi_api_retries_total{function="create",target="kubernetes"} 3',
    'magnum_capi_api_retries_total{function="create",target="openstack"} 1',
  ]);
});

test('a bucket takes what is as long as its bound, and those above it take it too', () => {
  const metrics = new Metrics();
  for (const seconds of [0.005, 0.006, 2, 7]) {
    metrics.observe('leaseWait', { function: 'create', outcome: 'acquired' }, seconds);
  }
  const buckets = [
    ['0.005', 1],
    ['0.025', 2],
    ['0.1', 2],
    ['0.25', 2],
    ['0.5', 2],
    ['1', 2],
    ['2', 3],
    ['5', 3],
    ['+Inf', 4],
  ];
  const name = 'magnum_capi_lease_wait_seconds';
  const labels = 'function="create",outcome="acquired"';
  expect(textOf(metrics, name)).toEqual([
    `# TYPE ${name} histogram`,
    ...buckets.map(([le, count]) => `${name}_bucket{${labels},le="${le}"} ${count}`),
    `${name}_sum{${labels}} 9.011`,
    `${name}_count{${labels}} 4`,
  ]);
  // OTLP counts each bucket for itself.
  expect(exportOf(metrics, name)?.dataPoints).toMatchObject([
    { value: { count: 4, sum: 9.011, buckets: { counts: [1, 1, 0, 0, 0, 0, 1, 0, 1] } } },
  ]);
});

test('a label value cannot end its quotes or its line', () => {
  const metrics = new Metrics();
  metrics.add('droppedSpans', { reason: 'a "b" \\ c\nd' });
  expect(prometheusText(metrics.measured())).toContain('{reason="a \\"b\\" \\\\ c\\nd"} 1\n');
});

test('a metric has no more than 500 combinations, and goes on with those', () => {
  const metrics = new Metrics();
  for (let index = 0; index < 600; index += 1) metrics.add('droppedSpans', { reason: String(index) });
  metrics.add('droppedSpans', { reason: '0' });
  const lines = textOf(metrics, 'magnum_capi_telemetry_dropped_spans_total');
  expect(lines).toHaveLength(501);
  expect(lines).toContain('magnum_capi_telemetry_dropped_spans_total{reason="0"} 2');
});

test('what was not measured is neither shown nor sent', () => {
  const metrics = new Metrics();
  expect(prometheusText(metrics.measured()).trim()).toBe('');
  expect(exportedMetrics(metrics, resourceFromAttributes({})).scopeMetrics[0]?.metrics).toEqual([]);
});

test.each([
  ['magnum_capi_start_duration_seconds', 's', (metrics: Metrics) => metrics.set('startSeconds', { function: 'x' }, 1)],
  ['process_cpu_seconds_total', 's', (metrics: Metrics) => metrics.set('processorSeconds', {}, 1)],
  ['process_resident_memory_bytes', 'By', (metrics: Metrics) => metrics.set('memory', {}, 1)],
  ['magnum_capi_events_in_flight', '', (metrics: Metrics) => metrics.set('inFlight', {}, 1)],
])('%s is sent with the unit %j', (name, unit, measure) => {
  const metrics = new Metrics();
  measure(metrics);
  expect(exportOf(metrics, name)).toMatchObject({ descriptor: { unit }, dataPoints: [{ value: 1, attributes: {} }] });
});

test('what is measured when somebody asks is new each time, whoever asks', () => {
  const metrics = new Metrics();
  let asked = 0;
  metrics.whenAsked((own) => {
    asked += 1;
    own.set('inFlight', {}, asked);
  });
  expect(textOf(metrics, 'magnum_capi_events_in_flight')).toContain('magnum_capi_events_in_flight 1');
  expect(exportOf(metrics, 'magnum_capi_events_in_flight')?.dataPoints).toMatchObject([{ value: 2 }]);
});
