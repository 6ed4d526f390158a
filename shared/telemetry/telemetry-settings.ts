import type { SamplerSettings } from './sampler.ts';

/** Where telemetry goes, and how much of it: from the variables that OpenTelemetry's specification names. */
export interface TelemetrySettings {
  readonly traces: boolean;
  readonly metrics: boolean;
  readonly sampler: SamplerSettings;
  /** Who tells it. */
  readonly functionName: string;
  readonly version: string;
}

/** The variables as far as they are needed before anything of OpenTelemetry is loaded; its own libraries read the others. */
interface TelemetryVariables {
  readonly OTEL_SDK_DISABLED?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_METRICS_ENDPOINT?: string | undefined;
  readonly OTEL_TRACES_EXPORTER?: string | undefined;
  readonly OTEL_METRICS_EXPORTER?: string | undefined;
}

/** Which signals are exported: those that have an endpoint and are not switched off. */
export function exportedSignals(variables: TelemetryVariables): {
  readonly traces: boolean;
  readonly metrics: boolean;
} {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all = '', OTEL_SDK_DISABLED: disabled = '' } = variables;
  const isOff = disabled.toLowerCase() === 'true';
  const isExported = (endpoint = '', exporter = '') => !isOff && (endpoint || all) !== '' && exporter !== 'none';
  return {
    traces: isExported(variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, variables.OTEL_TRACES_EXPORTER),
    metrics: isExported(variables.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, variables.OTEL_METRICS_EXPORTER),
  };
}
