import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { type MetricDefinition, type MetricKey, metricTable } from './metric-table.ts';

/** What each metric of a function means exactly: when it is counted, from where to where it is measured. */
const meanings: Readonly<Record<MetricKey, string>> = {
  events:
    'One for each request that came to where events are taken. `type` is that of the event where the function takes it, else `other`; `outcome` as in the [log](logs.md); `status` is the HTTP status',
  eventSeconds:
    'From the first byte of the headers read to the answer being ready; waiting for a Lease and for what other events compute is in it',
  inFlight: 'Also those whose sender has got its 503 already while the function has not stopped',
  leaseWait:
    '`outcome`: `acquired`, `busy` = given up after two seconds, answered with 429, or `failed` = the API server could not be asked',
  apiCalls:
    '`target`: `kubernetes` = the management cluster, authorisation included; `workload` = the API of a cluster; `openstack`; `sink` = K_SINK. `status_class`: `2xx` … `5xx`, or `none` where no answer came. A 404 or a 409 is often what was expected',
  apiRetries: 'Those of the former that repeat a call which came to nothing. `target` as there',
  coalesced:
    'They came while the cluster was being looked at, or within the window after it, and wait for a computation that another event began',
  reportLag:
    'Of events of ApiServerSource that are answered with a report: from their `time`, when the source has sent them first, to the answer being ready. What a broker takes to deliver it, again and again too, is in it; the way of the report to Magnum is not, see `magnum_capi_listener_report_lag_seconds`. Reports of a resync have none: nobody knows which change was missed. It needs the clocks of both sides',
  sinkReports:
    '`outcome`: `delivered`, or `failed` after five attempts or when the time was up; the attempts are in the calls with `target="sink"`',
  resyncSeconds:
    '`function` is `status` or `health`. `outcome`: `complete`, or `failed` = it was not known which clusters there are, not one report was taken, or the time was up',
  resyncClusters:
    '`outcome`, of status: `reported` = posted as news, `known` = nothing new, `failed`, `unreached` = the time did not suffice; of health: `reported`, `failed`',
  resyncTime: 'Unix time. Missing until there was one in this process',
  droppedSpans:
    '`reason`: `buffer full` = 2048 wait already, `long trace` = of one event more than 500, `export failed` = the collector has not taken them',
  failedExports: '`signal`: `traces` or `metrics`. The next export of metrics makes good what one has missed',
  startSeconds: 'From the start of the process to the line `listening`, loading the function included',
  build: '`version` of the project, `node` of Node.js, `revision` of the Knative Service',
  memory: 'Resident',
  processStart: 'Unix time. A value that was not there before is a cold start',
  processorSeconds: 'User and system time',
  eventLoopSeconds:
    'Its rate is the share of the time in which an event that comes has to wait: near 1 the function is at the limit of its core',
};

const shimMetrics = z.array(
  z.object({
    name: z.string(),
    type: z.enum(['counter', 'gauge', 'histogram']),
    labels: z.array(z.string()),
    help: z.string(),
    meaning: z.string(),
    buckets: z.array(z.number()).optional(),
  }),
);

/** The metrics of the shim, from the table that it has itself. */
export function listenerMetrics(): z.output<typeof shimMetrics> {
  const file = new URL('../../shim/magnum_capi_functions/metrics.json', import.meta.url);
  return shimMetrics.parse(JSON.parse(readFileSync(file, 'utf8')));
}

const introduction = `# Metrics

This page is generated from \`shared/telemetry/metric-table.ts\` and \`shim/magnum_capi_functions/metrics.json\`.

## Functions

Each function, and the function of the dead letters, shows them at \`/metrics\` on the port that takes its events. A function that scales to zero is gone before
somebody comes to look: with an endpoint of OpenTelemetry ([variables.md](variables.md)) it sends the same metrics under the same names by OTLP, at
intervals and when it ends. Counters begin with the process at 0; one that Prometheus sees first with the value 1 has grown by 1, which
\`increase\` does not see: the [rules](../monitoring/alerts.yaml) say how to count such. [monitoring/](../monitoring/README.md) has a dashboard and alerts, and says how
metrics get to Prometheus.

Label values are bounded: what a sender makes up is no label.
`;

const listenerIntroduction = `## Listener

\`magnum-capi-listener\` shows them at \`/metrics\` of its own port, without the secret that ends the path of reports: they name no cluster. A conductor has
no port to show them on. What it posts stands in its log, and in \`magnum_capi_events_total\` of the functions.
`;

/** docs/metrics.md. */
export function metricsDocument(): string {
  const ofFunctions = Object.entries(meanings).map(([key, meaning]) => ({ ...definitionOf(key), meaning }));
  return [introduction, table(ofFunctions), listenerIntroduction, table(listenerMetrics())].join('\n');
}

function definitionOf(key: string): MetricDefinition {
  const table: Readonly<Record<string, MetricDefinition>> = metricTable;
  const definition = table[key];
  if (definition === undefined) throw new Error(`There is no metric ${key}.`);
  return definition;
}

function table(metrics: readonly (MetricDefinition & { readonly meaning: string })[]): string {
  const rows = metrics.map(({ name, type, labels, help, meaning }) => {
    const quoted = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${unitOf(name)} | ${quoted} | ${help} ${meaning}. |\n`;
  });
  return `| name | type | unit | labels | meaning |\n|---|---|---|---|---|\n${rows.join('')}`;
}

function unitOf(name: string): string {
  return /_(?<unit>seconds|bytes)(?:_total)?$/.exec(name)?.groups?.['unit'] ?? '1';
}
