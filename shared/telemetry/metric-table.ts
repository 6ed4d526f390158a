/** One metric: its name and labels as Prometheus has them, and the line of its HELP. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[] | undefined;
}

/** Seconds: from a look at a cluster to the limit of an event. */
const workSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
/** Seconds: who waits for a Lease gives up after two. */
const waitSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 5];
/** Seconds: from one event of a quiet cluster to what brokers deliver again. */
const lagSeconds = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 900];

/** Every metric of a function. What each means exactly stands in metrics-document.ts, and docs/metrics.md is made from both. */
export const metricTable = {
  events: {
    name: 'magnum_capi_events_total',
    type: 'counter',
    labels: ['function', 'type', 'outcome', 'status'],
    help: 'Events answered.',
  },
  eventSeconds: {
    name: 'magnum_capi_event_duration_seconds',
    type: 'histogram',
    labels: ['function', 'type'],
    buckets: workSeconds,
    help: 'Time from the arrival of an event to its answer.',
  },
  inFlight: {
    name: 'magnum_capi_events_in_flight',
    type: 'gauge',
    labels: [],
    help: 'Events that are being handled.',
  },
  leaseWait: {
    name: 'magnum_capi_lease_wait_seconds',
    type: 'histogram',
    labels: ['function', 'outcome'],
    buckets: waitSeconds,
    help: 'Time until the Lease of a cluster was had, or given up.',
  },
  apiCalls: {
    name: 'magnum_capi_api_calls_total',
    type: 'counter',
    labels: ['function', 'target', 'status_class'],
    help: 'Requests to other systems, each attempt for itself.',
  },
  apiRetries: {
    name: 'magnum_capi_api_retries_total',
    type: 'counter',
    labels: ['function', 'target'],
    help: 'Requests to other systems that repeat another.',
  },
  coalesced: {
    name: 'magnum_capi_coalesced_events_total',
    type: 'counter',
    labels: ['function'],
    help: 'Events that shared what was computed for another.',
  },
  reportLag: {
    name: 'magnum_capi_report_lag_seconds',
    type: 'histogram',
    labels: ['function'],
    buckets: lagSeconds,
    help: 'Time from a change, as its source saw it, to the answer that reports it.',
  },
  sinkReports: {
    name: 'magnum_capi_sink_reports_total',
    type: 'counter',
    labels: ['function', 'outcome'],
    help: 'Reports that answer no event, posted to K_SINK.',
  },
  resyncSeconds: {
    name: 'magnum_capi_resync_duration_seconds',
    type: 'histogram',
    labels: ['function', 'outcome'],
    buckets: workSeconds,
    help: 'Time of a look at all clusters.',
  },
  resyncClusters: {
    name: 'magnum_capi_resync_clusters',
    type: 'gauge',
    labels: ['function', 'outcome'],
    help: 'Clusters of the last look at all of them.',
  },
  resyncTime: {
    name: 'magnum_capi_resync_timestamp_seconds',
    type: 'gauge',
    labels: ['function'],
    help: 'When the last look at all clusters came to its end.',
  },
  droppedSpans: {
    name: 'magnum_capi_telemetry_dropped_spans_total',
    type: 'counter',
    labels: ['reason'],
    help: 'Spans that were not exported.',
  },
  failedExports: {
    name: 'magnum_capi_telemetry_failed_exports_total',
    type: 'counter',
    labels: ['signal'],
    help: 'Exports that the collector did not take.',
  },
  startSeconds: {
    name: 'magnum_capi_start_duration_seconds',
    type: 'gauge',
    labels: ['function'],
    help: 'Time from the start of the process until it served.',
  },
  build: {
    name: 'magnum_capi_build_info',
    type: 'gauge',
    labels: ['function', 'version', 'node', 'revision'],
    help: 'What runs; always 1.',
  },
  memory: {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    labels: [],
    help: 'Memory of the process.',
  },
  processStart: {
    name: 'process_start_time_seconds',
    type: 'gauge',
    labels: [],
    help: 'When the process was started.',
  },
  processorSeconds: {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    labels: [],
    help: 'Processor time of the process.',
  },
  eventLoopSeconds: {
    name: 'magnum_capi_event_loop_active_seconds_total',
    type: 'counter',
    labels: [],
    help: 'Time that the event loop was busy.',
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricKey = keyof typeof metricTable;

/** The value of each label of a metric. */
export type LabelsOf<Key extends MetricKey> = Readonly<Record<(typeof metricTable)[Key]['labels'][number], string>>;
