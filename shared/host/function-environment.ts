import * as z from 'zod';
import type { ServiceCloud } from '../cloud/service-session.ts';
import { samplerNames } from '../telemetry/sampler.ts';
import { exportedSignals, type TelemetrySettings } from '../telemetry/telemetry-settings.ts';
import type { SinkSettings } from './event-sink.ts';

const port = z
  .string('is missing')
  .regex(/^\d{1,5}$/, 'is no port')
  .transform(Number)
  .refine((value) => value <= 65_535, 'is no port');

function milliseconds(most: number) {
  return z.coerce
    .number('is no number')
    .int('is no whole number')
    .min(0, 'is less than 0')
    .max(most, `is more than ${most}`);
}

const sinkUrl = z.url({ protocol: /^https?$/, message: 'is no URL of http or https' });

/** Context attributes are the function's own; CloudEvents 1.0 §3.1 for the names of extensions. */
const extensionName = z
  .string()
  .regex(/^(?!(?:specversion|id|source|type|subject|time|data|dataschema|datacontenttype)$)[a-z0-9]+$/);

const overrides = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text || '{}');
    } catch {
      context.addIssue('is no JSON');
      return z.NEVER;
    }
  })
  .pipe(z.object({ extensions: z.record(extensionName, z.string()).nullish() }, 'is not what a SinkBinding writes'));

/** The variables of a function (docs/variables.md). */
export const functionEnvironment = z
  .object({
    /** 0 takes a free one, which the first line of the log tells. */
    PORT: port.prefault('8080'),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    KUBERNETES_SERVICE_HOST: z.string('is missing').min(1, 'is missing'),
    KUBERNETES_SERVICE_PORT: port,
    /** Folder with the pod's `token` and `ca.crt`. */
    SERVICE_ACCOUNT_DIRECTORY: z.string().min(1).optional(),
    /** Lifetime of a cluster's Lease without renewal. */
    LEASE_SECONDS: z.coerce
      .number('is no number')
      .int('is no whole number')
      .min(1, 'is less than 1')
      .max(15, 'is more than 15')
      .optional(),
    /** Who checks events of Knative's sources: the NetworkPolicy, or the host by the token that a Trigger sends (design §9). */
    BROKER_AUTH: z.enum(['network', 'oidc']).default('network'),
    /** Audience of the Trigger's subscriber; with BROKER_AUTH=oidc. */
    BROKER_AUDIENCE: z.string().min(1).optional(),
    /** Where events go that answer no other; set by a SinkBinding, like the two that follow. */
    K_SINK: sinkUrl.optional(),
    K_CE_OVERRIDES: overrides.optional(),
    /** PEM. */
    K_CA_CERTS: z.string().optional(),
    /** How long the events of a cluster are gathered after one was computed. */
    STATUS_WINDOW_MS: milliseconds(10_000).optional(),
    HEALTH_WINDOW_MS: milliseconds(10_000).optional(),
    /** A clouds.yaml with the functions' own credential, and which of its clouds; named as openstacksdk names them. */
    OS_CLIENT_CONFIG_FILE: z.string().min(1).optional(),
    OS_CLOUD: z.string().min(1).default('default'),
    /** How long the API of a cluster itself may take for an answer; 0 = it is not asked. */
    HEALTH_PROBE_TIMEOUT_MS: milliseconds(10_000).optional(),
    /** Set by Knative; named in metrics. */
    K_REVISION: z.string().optional(),
    /**
     * OpenTelemetry's, as far as they are needed before its libraries are loaded. By its specification a wrong one is left out and stops
     * nothing.
     */
    OTEL_SDK_DISABLED: z.string().optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().optional(),
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: z.string().optional(),
    OTEL_TRACES_EXPORTER: z.string().optional(),
    OTEL_METRICS_EXPORTER: z.string().optional(),
    OTEL_TRACES_SAMPLER: z.enum(samplerNames).catch('parentbased_always_on'),
    OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).catch(1),
  })
  .refine(({ BROKER_AUTH, BROKER_AUDIENCE }) => BROKER_AUTH === 'network' || BROKER_AUDIENCE !== undefined, {
    path: ['BROKER_AUDIENCE'],
    message: 'is needed with BROKER_AUTH=oidc',
  });

/** Where the functions' own credential stands; undefined without one. */
export function serviceCloud(variables: {
  readonly OS_CLIENT_CONFIG_FILE?: string | undefined;
  readonly OS_CLOUD?: string | undefined;
}): ServiceCloud | undefined {
  const { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: name = 'default' } = variables;
  return file === undefined ? undefined : { file, name };
}

/** What of traces and metrics is exported, by OpenTelemetry's variables. */
export function telemetrySettings(
  variables: z.output<typeof functionEnvironment>,
): Pick<TelemetrySettings, 'traces' | 'metrics' | 'sampler'> {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio } = variables;
  return { ...exportedSignals(variables), sampler: { name, ratio } };
}

/** The sink of a function; undefined without a SinkBinding. */
export function sinkSettings(variables: z.output<typeof functionEnvironment>): SinkSettings | undefined {
  const { K_SINK: url, K_CE_OVERRIDES: overriding, K_CA_CERTS: caCertificates } = variables;
  if (url === undefined) return undefined;
  return { url, caCertificates: caCertificates || undefined, extensions: overriding?.extensions ?? {} };
}
