import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { selects } from '../../local/broker/event-filter.ts';
import { knativeObjects } from '../../local/manifests/knative-objects.ts';
import { changesOf } from './changed-objects.ts';
import { kustomized, withComponents } from './kustomize.ts';
import { servicesOf } from './services.ts';

const base = await kustomized('base');
const triggers = base.filter(({ kind }) => kind === 'Trigger').map(({ metadata }) => metadata.name);
const services = base.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
const asyncHandler = 'Broker magnum /metadata/annotations/messaging.knative.dev/async-handler';

/** Paths of the changes that every one of these objects has. */
function eachOf(kind: string, names: readonly string[], changes: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    names.flatMap((name) => Object.entries(changes).map(([path, value]) => [`${kind} ${name} ${path}`, value])),
  );
}

describe('the component kafka', () => {
  test('makes the Broker one of Kafka, unordered and in parallel, and changes nothing else', async () => {
    const config = { apiVersion: 'v1', kind: 'ConfigMap', name: 'magnum-kafka-broker', namespace: 'magnum-system' };
    expect(changesOf(base, await withComponents('kafka'))).toEqual({
      added: ['ConfigMap magnum-kafka-broker'],
      removed: [],
      changed: {
        'Broker magnum /metadata/annotations/eventing.knative.dev/broker.class': 'Kafka',
        'Broker magnum /spec/config': config,
        [asyncHandler]: undefined,
        ...eachOf('Trigger', triggers, {
          '/metadata/annotations': { 'kafka.eventing.knative.dev/delivery.order': 'unordered' },
        }),
      },
    });
  });
});

const annotated = z.looseObject({ annotations: z.record(z.string(), z.string()) });

describe('the component rabbitmq', async () => {
  const objects = await withComponents('rabbitmq');
  const parsed = knativeObjects(objects.filter(({ kind }) => kind === 'Trigger')).triggers;

  test('gives each Trigger one exact attribute, which is all that its Broker compares, and several deliveries at once', () => {
    for (const { metadata, spec } of parsed) {
      expect(spec).not.toHaveProperty('filters');
      expect(Object.keys(spec.filter?.attributes ?? {})).toHaveLength(1);
      const { annotations } = annotated.parse(metadata);
      const parallelism = Number(annotations['rabbitmq.eventing.knative.dev/parallelism']);
      expect(parallelism).toBeGreaterThan(1);
      expect(parallelism).toBeLessThanOrEqual(1000);
    }
  });

  test.each([
    [
      'a change of an object',
      { type: 'dev.knative.apiserver.ref.update', magnumchange: 'object' },
      ['magnum-health-objects', 'magnum-status-objects'],
    ],
    ['a resync', { type: 'dev.knative.sources.ping' }, ['magnum-health-resync', 'magnum-status-resync']],
    ['a status', { type: 'org.openstack.magnum.cluster.status.v1' }, ['magnum-reports']],
    ['a health', { type: 'org.openstack.magnum.cluster.health.v1' }, ['magnum-reports-health']],
    ['a reply to a request', { type: 'org.openstack.magnum.operation.accepted.v1' }, []],
  ])('delivers %s to whom the base does', (_what, attributes, expected) => {
    const event = { attributes, contentType: 'application/json', body: Buffer.alloc(0) };
    const names = parsed.filter((trigger) => selects(trigger, event)).map(({ metadata }) => metadata.name);
    expect(names.toSorted()).toEqual(expected);
  });

  test('adds a Trigger for health that differs from that for the status by its filter alone', () => {
    const specOf = (name: string) => Object(objects.find(({ metadata }) => metadata.name === name)?.['spec']);
    const { filter: _one, ...reports } = specOf('magnum-reports');
    const { filter: _other, ...healthReports } = specOf('magnum-reports-health');
    expect(healthReports).toEqual(reports);
  });

  test('lets the source of changes say that it is the one, and changes nothing but Broker, source and Triggers', () => {
    const { added, removed, changed } = changesOf(base, objects);
    expect(added).toEqual(['RabbitmqBrokerConfig magnum', 'Trigger magnum-reports-health']);
    expect(removed).toEqual([]);
    const others = Object.entries(changed).filter(([path]) => !path.startsWith('Trigger '));
    expect(Object.fromEntries(others)).toEqual({
      'Broker magnum /metadata/annotations/eventing.knative.dev/broker.class': 'RabbitMQBroker',
      'Broker magnum /spec/config': {
        apiVersion: 'eventing.knative.dev/v1alpha1',
        kind: 'RabbitmqBrokerConfig',
        name: 'magnum',
        namespace: 'magnum-system',
      },
      [asyncHandler]: undefined,
      'ApiServerSource magnum-objects /spec/ceOverrides': { extensions: { magnumchange: 'object' } },
    });
    const ofTriggers = Object.keys(changed).flatMap((path) => /^Trigger \S+ (\/.*)$/.exec(path)?.[1] ?? []);
    expect(new Set(ofTriggers)).toEqual(new Set(['/metadata/annotations', '/spec/filter', '/spec/filters']));
  });
});

describe('the component tls', () => {
  test('sends callers of the public functions to https, and changes nothing else', async () => {
    const visible = ['create', 'resize', 'upgrade', 'delete'].map((name) => `magnum-${name}`);
    expect(changesOf(base, await withComponents('tls'))).toEqual({
      added: [],
      removed: [],
      changed: eachOf('Service', visible, {
        '/metadata/annotations': { 'networking.knative.dev/http-protocol': 'redirected' },
      }),
    });
  });
});

describe('the component health-probe', () => {
  test('switches the probe on and grants what it reads, and changes nothing else', async () => {
    expect(changesOf(base, await withComponents('health-probe'))).toEqual({
      added: [],
      removed: [],
      changed: {
        'Service magnum-health /spec/template/spec/containers/0/env/1': {
          name: 'HEALTH_PROBE_TIMEOUT_MS',
          value: '2000',
        },
        'Role magnum-health /rules/2': { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
      },
    });
  });
});

/** Variables of the telemetry exporter, each with the key of the ConfigMap, or of the Secret, that has its value. */
const telemetryVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'endpoint',
  OTEL_TRACES_SAMPLER: 'sampler',
  OTEL_TRACES_SAMPLER_ARG: 'sampler-argument',
  OTEL_RESOURCE_ATTRIBUTES: 'attributes',
};

describe('the component telemetry', async () => {
  const objects = await withComponents('telemetry');

  test('gives every function what its exporter reads, from one ConfigMap, and changes nothing else', () => {
    const { added, removed, changed } = changesOf(base, objects);
    expect({ added, removed }).toEqual({ added: ['ConfigMap magnum-telemetry'], removed: [] });
    for (const service of services) {
      const variables = Object.entries(changed).flatMap(([path, value]) =>
        path.startsWith(`Service ${service} /spec/template/spec/containers/0/env/`) ? [value] : [],
      );
      expect(variables).toEqual([
        ...Object.entries(telemetryVariables).map(([name, key]) => ({
          name,
          valueFrom: { configMapKeyRef: { name: 'magnum-telemetry', key } },
        })),
        {
          name: 'OTEL_EXPORTER_OTLP_HEADERS',
          valueFrom: { secretKeyRef: { name: 'magnum-telemetry', key: 'headers', optional: true } },
        },
      ]);
    }
    expect(Object.keys(changed)).toHaveLength(services.length * 5);
  });

  test('has a value for each of them, and only variables that the functions know', async () => {
    const config = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'magnum-telemetry');
    expect(Object.keys(config?.['data'] ?? {}).toSorted()).toEqual(Object.values(telemetryVariables).toSorted());
    const known = await readFile(new URL('../../docs/variables.md', import.meta.url), 'utf8');
    for (const name of [...Object.keys(telemetryVariables), 'OTEL_EXPORTER_OTLP_HEADERS']) {
      expect(known).toContain(`\`${name}\``);
    }
  });
});

test('the component telemetry/pod-monitor lets Prometheus find the functions and reach them, and changes nothing else', async () => {
  expect(changesOf(base, await withComponents('telemetry/pod-monitor'))).toEqual({
    added: ['NetworkPolicy magnum-functions-metrics', 'PodMonitor magnum-functions'],
    removed: [],
    changed: {},
  });
});

describe('the component single-node', () => {
  test('makes the Broker one in memory and the functions small, and changes nothing else', async () => {
    const annotations = '/spec/template/metadata/annotations';
    const { added, removed, changed } = changesOf(base, await withComponents('single-node'));
    expect({ added, removed }).toEqual({ added: ['ConfigMap magnum-memory-broker'], removed: [] });
    const several = services.filter((name) => name !== 'magnum-dead-letters');
    expect(changed).toEqual({
      'Broker magnum /metadata/annotations/eventing.knative.dev/broker.class': 'MTChannelBasedBroker',
      'Broker magnum /spec/config': expect.objectContaining({ name: 'magnum-memory-broker' }),
      ...eachOf('Service', several, {
        [`${annotations}/autoscaling.knative.dev/max-scale`]: '1',
        '/spec/template/spec/containers/0/resources/requests/memory': '64Mi',
      }),
      ...eachOf('Service', services, {
        [`${annotations}/queue.sidecar.serving.knative.dev/cpu-resource-request`]: '5m',
        [`${annotations}/queue.sidecar.serving.knative.dev/memory-resource-request`]: '16Mi',
        '/spec/template/spec/containers/0/resources/requests/cpu': '10m',
      }),
      [`Service magnum-status ${annotations}/autoscaling.knative.dev/min-scale`]: '1',
    });
  });
});

const subscriber = z.looseObject({ spec: z.looseObject({ subscriber: z.looseObject({ uri: z.url().optional() }) }) });

describe.each(['example', 'single-node'])('the overlay %s', async (folder) => {
  const objects = await kustomized(folder);

  test('decides about the image of every function', () => {
    const images = servicesOf(objects).map(({ spec }) => spec.template.spec.containers[0].image);
    expect(new Set(images)).toEqual(new Set(['registry.example.org/magnum-capi-functions:0.1.0']));
  });

  test('decides about every placeholder of the base', () => {
    const addresses = objects
      .filter(({ kind }) => kind === 'Trigger')
      .flatMap((each) => subscriber.parse(each).spec.subscriber.uri ?? []);
    expect(addresses).toEqual([expect.stringMatching(/^https?:\/\/magnum-listener\.example\.org:8790\/reports\//)]);
  });

  test('takes nothing of the base away', () => {
    expect(changesOf(base, objects).removed).toEqual([]);
  });
});
