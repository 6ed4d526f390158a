import type * as z from 'zod';
import type { functionEnvironment } from './function-environment.ts';

interface Variable {
  /** What counts without it; '' = nothing. */
  readonly default: string;
  readonly meaning: string;
}

const binding = 'set by a SinkBinding';

/** Every variable that a function checks at its start: one that has no row here does not compile. */
const variables: Readonly<Record<keyof z.input<typeof functionEnvironment>, Variable>> = {
  PORT: {
    default: '8080',
    meaning: 'where it takes events; 0 takes a free port, which the first line of the log tells',
  },
  LOG_LEVEL: { default: '`info`', meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`' },
  KUBERNETES_SERVICE_HOST: { default: 'set by Kubernetes', meaning: 'the API server of the management cluster' },
  KUBERNETES_SERVICE_PORT: { default: 'set by Kubernetes', meaning: 'its port' },
  SERVICE_ACCOUNT_DIRECTORY: { default: 'where Kubernetes mounts it', meaning: 'folder with `token` and `ca.crt`' },
  LEASE_SECONDS: {
    default: '15',
    meaning: '1 to 15: how long the Lease of a cluster outlives a function that crashed',
  },
  BROKER_AUTH: {
    default: '`network`',
    meaning: "who checks events of Knative's sources: `network` leaves it to the NetworkPolicy, `oidc` demands a token",
  },
  BROKER_AUDIENCE: { default: '', meaning: "with `BROKER_AUTH=oidc`: the audience of the Trigger's subscriber" },
  K_SINK: {
    default: binding,
    meaning:
      'where the status and health functions send reports that answer no single event; without it they go nowhere',
  },
  K_CE_OVERRIDES: { default: binding, meaning: 'extension attributes of these reports' },
  K_CA_CERTS: {
    default: binding,
    meaning: "authorities (PEM) of the sink's certificate, beside those that Node trusts",
  },
  STATUS_WINDOW_MS: {
    default: '800',
    meaning:
      "0 to 10000: for how long after a computation the status function gathers a cluster's events for the next one",
  },
  HEALTH_WINDOW_MS: { default: '5000', meaning: '0 to 10000: the same for the health function' },
  OS_CLIENT_CONFIG_FILE: {
    default: '`/etc/openstack/clouds.yaml` in knative/, else none',
    meaning:
      "a clouds.yaml with the functions' own credential in the cloud, for the delete, status and upgrade functions; read at each use",
  },
  OS_CLOUD: { default: '`default`', meaning: 'which of its clouds' },
  HEALTH_PROBE_TIMEOUT_MS: {
    default: '0',
    meaning:
      'how long the API of a cluster itself may take to answer the health function, 0 to 10000; 0 = it is not asked',
  },
  K_REVISION: { default: 'set by Knative', meaning: 'the revision that runs; named in metrics' },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: '',
    meaning:
      'where traces and metrics go: a collector that takes OTLP over HTTP in JSON, e.g. `http://collector.observability:4318`; without it nothing is recorded or exported',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { default: '', meaning: 'the same for traces alone, the whole URL' },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: { default: '', meaning: 'the same for metrics alone, the whole URL' },
  OTEL_TRACES_EXPORTER: { default: '`otlp`', meaning: '`none` exports no traces' },
  OTEL_METRICS_EXPORTER: { default: '`otlp`', meaning: '`none` exports no metrics; they stay at `/metrics`' },
  OTEL_TRACES_SAMPLER: {
    default: '`parentbased_always_on`',
    meaning:
      'which traces are recorded: `always_on`, `always_off`, `traceidratio`, and each of them behind `parentbased_`, where the sender decides first',
  },
  OTEL_TRACES_SAMPLER_ARG: { default: '1', meaning: '0 to 1: the share that the samplers by ratio take' },
  OTEL_SDK_DISABLED: { default: '', meaning: '`true` exports nothing, whatever else is set' },
};

/** Read by the exporter when it is loaded; the first by ours, the others by OpenTelemetry's libraries. */
const exporterVariables: Readonly<Record<string, Variable>> = {
  OTEL_BSP_SCHEDULE_DELAY: { default: '5000', meaning: 'milliseconds between exports of traces' },
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: { default: '512', meaning: 'spans of one export' },
  OTEL_METRIC_EXPORT_INTERVAL: { default: '60000', meaning: 'milliseconds between exports of metrics' },
  OTEL_SERVICE_NAME: { default: 'the name of the Knative Service', meaning: '`service.name` of what is exported' },
  OTEL_RESOURCE_ATTRIBUTES: {
    default: '',
    meaning: 'further attributes of all that is exported: `key=value`, separated by commas',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    default: '',
    meaning:
      "headers of each export, as a collector's token: `key=value`, separated by commas; from a Secret. With `_TRACES_` or `_METRICS_` after `OTLP`, also for one of them, as those that follow",
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: { default: '10000', meaning: 'milliseconds for one export with its repetitions' },
  OTEL_EXPORTER_OTLP_COMPRESSION: { default: '', meaning: '`gzip`' },
  OTEL_EXPORTER_OTLP_CERTIFICATE: {
    default: '',
    meaning: "file with the authorities (PEM) of the collector's certificate",
  },
};

const introduction = `# Variables of a function

This page is generated from \`shared/host/variables-document.ts\`. A function reads its environment once, at its start. Where one of the first table is missing
or wrong it says so in one line of its log and ends with code 2; one of OpenTelemetry's that is wrong counts as if it were not there, as its
specification wants it.
`;

/** docs/variables.md. */
export function variablesDocument(): string {
  const own = Object.entries(variables);
  const isTelemetry = ([name]: readonly [string, Variable]) => name.startsWith('OTEL_');
  return [
    introduction,
    table(own.filter((each) => !isTelemetry(each))),
    "## Telemetry\n\nOpenTelemetry's own names and meanings; [adr/0022-telemetry.md](adr/0022-telemetry.md) says what is recorded.\n",
    table([...own.filter(isTelemetry), ...Object.entries(exporterVariables)]),
  ].join('\n');
}

function table(rows: readonly (readonly [string, Variable])[]): string {
  const lines = rows.map(([name, { default: fallback, meaning }]) => `| \`${name}\` | ${fallback} | ${meaning} |\n`);
  return `| variable | default | meaning |\n|---|---|---|\n${lines.join('')}`;
}
