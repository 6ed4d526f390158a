import type { CustomResourceDefinition } from '../env/manifests.ts';
import { namespacedDefinition } from '../env/namespaced-definition.ts';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'array', items: text };
const map: Schema = { type: 'object', additionalProperties: text };

function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required };
}

const reference = object({ apiVersion: text, kind: text, namespace: text, name: text }, ['kind', 'name']);
const labelSelector = object({
  matchLabels: map,
  matchExpressions: {
    type: 'array',
    items: object({ key: text, operator: text, values: texts }, ['key', 'operator']),
  },
});
const scrape = object({ port: text, path: text, interval: { type: 'string', pattern: '^\\d+(?:ms|s|m|h)$' } });

/** Fields that Knative Eventing, eventing-rabbitmq and Prometheus' operator define, as far as knative/ may use them. */
const specs: Readonly<Record<string, Schema>> = {
  'sources.knative.dev/v1/SinkBinding': object(
    {
      subject: object({ apiVersion: text, kind: text, namespace: text, name: text, selector: labelSelector }, [
        'apiVersion',
        'kind',
      ]),
      sink: object({ ref: reference, uri: text, CACerts: text, audience: text }),
      ceOverrides: object({ extensions: map }),
    },
    ['subject', 'sink'],
  ),
  'eventing.knative.dev/v1alpha1/RabbitmqBrokerConfig': object({
    vhost: text,
    queueType: { type: 'string', enum: ['quorum', 'classic'] },
    rabbitmqClusterReference: object({ name: text, namespace: text, connectionSecret: object({ name: text }) }),
  }),
  'monitoring.coreos.com/v1/PodMonitor': object(
    { selector: labelSelector, podMetricsEndpoints: { type: 'array', items: scrape } },
    ['selector', 'podMetricsEndpoints'],
  ),
};

/** A strict definition of a kind whose project's own is not at hand; undefined for any other. */
export function compactDefinition(group: string, version: string, kind: string): CustomResourceDefinition | undefined {
  const spec = specs[`${group}/${version}/${kind}`];
  if (spec === undefined) return undefined;
  const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return namespacedDefinition({ group, version, kind, schema: object({ spec, status }, ['spec']) });
}
