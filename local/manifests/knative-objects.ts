import * as z from 'zod';
import { durationMilliseconds } from './duration.ts';
import type { Manifest } from './read-manifests.ts';

/** Kinds of Knative that the local system carries out; a field that it does not know is refused rather than ignored. */
const metadata = z.looseObject({ name: z.string(), namespace: z.string() });

const duration = z.string().transform((text, context) => {
  const milliseconds = durationMilliseconds(text);
  if (milliseconds !== undefined) return milliseconds;
  context.addIssue({ code: 'custom', message: 'is no ISO 8601 duration' });
  return z.NEVER;
});

const reference = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  namespace: z.string().optional(),
});

const destination = z.union([z.strictObject({ ref: reference }), z.strictObject({ uri: z.url() })]);

/** Where events go: to an object of the cluster, or to a URI. */
export type Destination = z.infer<typeof destination>;

/** Durations in milliseconds. */
const delivery = z.strictObject({
  retry: z.int().min(0).optional(),
  backoffPolicy: z.enum(['exponential', 'linear']).optional(),
  backoffDelay: duration.optional(),
  timeout: duration.optional(),
  deadLetterSink: destination.optional(),
});
export type DeliverySpec = z.infer<typeof delivery>;

const attributes = z.record(z.string(), z.string());

/** One expression over the attributes of an event, in the dialects that all brokers know. */
export type EventFilter =
  | { readonly exact: Readonly<Record<string, string>> }
  | { readonly prefix: Readonly<Record<string, string>> }
  | { readonly suffix: Readonly<Record<string, string>> }
  | { readonly all: readonly EventFilter[] }
  | { readonly any: readonly EventFilter[] }
  | { readonly not: EventFilter };

const eventFilter: z.ZodType<EventFilter> = z.lazy(() =>
  z.union([
    z.strictObject({ exact: attributes }),
    z.strictObject({ prefix: attributes }),
    z.strictObject({ suffix: attributes }),
    z.strictObject({ all: z.array(eventFilter) }),
    z.strictObject({ any: z.array(eventFilter) }),
    z.strictObject({ not: eventFilter }),
  ]),
);

const broker = z.looseObject({
  metadata,
  spec: z.strictObject({ delivery: delivery.optional() }).default({}),
});

const trigger = z.looseObject({
  metadata,
  spec: z.strictObject({
    broker: z.string(),
    filter: z.strictObject({ attributes }).optional(),
    filters: z.array(eventFilter).optional(),
    subscriber: destination,
    delivery: delivery.optional(),
  }),
});

const labelSelector = z.strictObject({
  matchLabels: z.record(z.string(), z.string()).optional(),
  matchExpressions: z
    .array(
      z.strictObject({
        key: z.string(),
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: z.array(z.string()).optional(),
      }),
    )
    .optional(),
});

const watchedResource = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  selector: labelSelector.optional(),
});

const apiServerSource = z.looseObject({
  metadata,
  spec: z.strictObject({
    mode: z.literal('Reference').default('Reference'),
    serviceAccountName: z.string().optional(),
    resources: z.array(watchedResource).min(1),
    sink: destination,
  }),
});

const pingSource = z.looseObject({
  metadata,
  spec: z.strictObject({
    schedule: z.string(),
    timezone: z.string().optional(),
    contentType: z.string().optional(),
    data: z.string().optional(),
    sink: destination,
  }),
});

export type Broker = z.infer<typeof broker>;
export type Trigger = z.infer<typeof trigger>;
export type ApiServerSource = z.infer<typeof apiServerSource>;
export type PingSource = z.infer<typeof pingSource>;

/** What of the manifests concerns events. */
export interface KnativeObjects {
  readonly brokers: readonly Broker[];
  readonly triggers: readonly Trigger[];
  readonly apiServerSources: readonly ApiServerSource[];
  readonly pingSources: readonly PingSource[];
}

/** @throws Error that names the object and the field which the local system cannot carry out */
export function knativeObjects(manifests: readonly Manifest[]): KnativeObjects {
  const read = <T>(group: string, kind: string, schema: z.ZodType<T>): readonly T[] =>
    manifests
      .filter((manifest) => manifest.kind === kind && manifest.apiVersion.startsWith(`${group}/`))
      .map((manifest) => parse(schema, manifest));
  return {
    brokers: read('eventing.knative.dev', 'Broker', broker),
    triggers: read('eventing.knative.dev', 'Trigger', trigger),
    apiServerSources: read('sources.knative.dev', 'ApiServerSource', apiServerSource),
    pingSources: read('sources.knative.dev', 'PingSource', pingSource),
  };
}

function parse<T>(schema: z.ZodType<T>, manifest: Manifest): T {
  const parsed = schema.safeParse(manifest);
  if (parsed.success) return parsed.data;
  const { kind, metadata: named } = manifest;
  throw new Error(`The local system cannot carry out ${kind} ${named.name}: ${z.prettifyError(parsed.error)}`);
}
