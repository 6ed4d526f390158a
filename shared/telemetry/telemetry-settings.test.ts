import { expect, test } from 'vitest';
import { exportedSignals } from './telemetry-settings.ts';

const all = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector' };

test.each([
  ['nothing is set', {}, false, false],
  ['the endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false, false],
  ['there is one endpoint for both', all, true, true],
  ['only traces have one', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces' }, true, false],
  ['only metrics have one', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://metrics' }, false, true],
  ['traces are switched off', { ...all, OTEL_TRACES_EXPORTER: 'none' }, false, true],
  ['metrics are switched off', { ...all, OTEL_METRICS_EXPORTER: 'none' }, true, false],
  ['the SDK is switched off', { ...all, OTEL_SDK_DISABLED: 'TRUE' }, false, false],
  ['the SDK is not quite switched off', { ...all, OTEL_SDK_DISABLED: '1' }, true, true],
])('where %s', (_title, variables, traces, metrics) => {
  expect(exportedSignals(variables)).toEqual({ traces, metrics });
});
