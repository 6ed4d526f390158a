import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { acceptedEvents as acceptedByHealth } from '../../functions/health/accepted-events.ts';
import { acceptedEvents as acceptedByStatus } from '../../functions/status/accepted-events.ts';
import { selects } from '../../local/broker/event-filter.ts';
import { knativeObjects, type Trigger } from '../../local/manifests/knative-objects.ts';
import { readManifests } from '../../local/manifests/read-manifests.ts';
import { bundleEntries } from '../../scripts/bundles.ts';
import { eventTypes, functionNames } from '../../shared/contract/event-types.ts';
import { isBrokerType } from '../../shared/host/cloud-event.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { servicesOf } from './services.ts';

const manifests = await readManifests();
const { brokers, triggers, apiServerSources, pingSources } = knativeObjects(manifests);
const [source] = apiServerSources;
const watched = source?.spec.resources ?? [];

function subscriberOf({ spec }: Trigger): string {
  return 'ref' in spec.subscriber ? spec.subscriber.ref.name : new URL(spec.subscriber.uri).hostname;
}

/** Names of the subscribers that get an event. */
function subscribersOf(attributes: Readonly<Record<string, string>>): readonly string[] {
  const event = { attributes, contentType: 'application/json', body: Buffer.alloc(0) };
  return triggers
    .filter((trigger) => selects(trigger, event))
    .map(subscriberOf)
    .toSorted();
}

describe('the source', () => {
  test('watches every kind in the version that the functions read', () => {
    const known: readonly ResourceType[] = Object.values<ResourceType>(resources);
    for (const { apiVersion, kind } of watched) {
      const group = apiVersion.split('/')[0];
      // Health checks are only watched; they have the version of their group.
      const type =
        known.find((each) => each.kind === kind) ?? known.find((each) => each.apiVersion.startsWith(`${group}/`));
      expect({ kind, apiVersion }).toEqual({ kind, apiVersion: type?.apiVersion });
    }
  });

  test('watches its own namespace alone, and no object that is not of a cluster of Magnum', () => {
    expect(source?.metadata.namespace).toBe('magnum-system');
    for (const { kind, selector } of watched) {
      // Cluster API makes bindings without labels; the functions know theirs by the name.
      const expected = kind === 'ClusterResourceSetBinding' ? undefined : expect.any(Object);
      expect({ kind, selector }).toEqual({ kind, selector: expected });
    }
  });

  test('has the rights to watch, and no others', () => {
    const role = z.looseObject({
      rules: z.array(
        z.object({ apiGroups: z.array(z.string()), resources: z.array(z.string()), verbs: z.array(z.string()) }),
      ),
    });
    const { rules } = role.parse(
      manifests.find(({ kind, metadata }) => kind === 'Role' && metadata.name === source?.spec.serviceAccountName),
    );
    const granted = rules.flatMap((rule) =>
      rule.apiGroups.flatMap((group) => rule.resources.map((name) => `${name}.${group}`)),
    );
    const needed = watched.map(({ apiVersion, kind }) => `${kind.toLowerCase()}s.${apiVersion.split('/')[0]}`);
    expect(granted.toSorted()).toEqual(needed.toSorted());
    for (const { verbs } of rules) expect(verbs).toEqual(['get', 'list', 'watch']);
  });
});

describe('the Triggers', () => {
  const ofStatus = [
    'Cluster',
    'KubeadmControlPlane',
    'MachineDeployment',
    'Machine',
    'OpenStackServer',
    'OpenStackCluster',
    'ClusterResourceSet',
    'ClusterResourceSetBinding',
    'Deployment',
  ];
  const ofHealth = ['Cluster', 'KubeadmControlPlane', 'Machine', 'MachineHealthCheck'];
  const changes = ['add', 'update', 'delete'].map((change) => `dev.knative.apiserver.ref.${change}`);

  test.each(changes)('give %s of each kind to the functions that look at it', (type) => {
    for (const { kind } of watched) {
      const expected = [
        ...(ofHealth.includes(kind) ? ['magnum-health'] : []),
        ...(ofStatus.includes(kind) ? ['magnum-status'] : []),
      ];
      expect({ kind, subscribers: subscribersOf({ type, kind }) }).toEqual({ kind, subscribers: expected });
    }
    expect(watched.map(({ kind }) => kind).toSorted()).toEqual([...new Set([...ofStatus, ...ofHealth])].toSorted());
  });

  test.each([
    ['magnum-status', Object.keys(acceptedByStatus)],
    ['magnum-health', Object.keys(acceptedByHealth)],
  ])('give %s what it accepts of Knative, and no requests', (subscriber, accepted) => {
    const [kind = ''] = ofHealth;
    const given = Object.keys(eventTypes).filter((type) => subscribersOf({ type, kind }).includes(subscriber));
    expect(given.toSorted()).toEqual(accepted.filter(isBrokerType).toSorted());
  });

  test('give reports to Magnum, and no replies to requests', () => {
    const given = Object.keys(eventTypes).filter((type) => subscribersOf({ type }).includes('magnum-listener.invalid'));
    expect(given.toSorted()).toEqual([
      'org.openstack.magnum.cluster.health.v1',
      'org.openstack.magnum.cluster.status.v1',
    ]);
  });

  test('give nobody what the objects of other sources send', () => {
    expect(subscribersOf({ type: 'dev.knative.apiserver.resource.update', kind: 'Cluster' })).toEqual([]);
    expect(subscribersOf({ type: 'dev.knative.apiserver.ref.update', kind: 'Pod' })).toEqual([]);
  });

  test.each(triggers.map((trigger) => [trigger.metadata.name, trigger] as const))(
    '%s bridges a minute without its subscriber, leaves the function its time and says where the rest goes',
    (_name, { spec }) => {
      const { retry = 0, backoffPolicy, backoffDelay = 0, timeout = 0, deadLetterSink } = spec.delivery ?? {};
      expect(backoffPolicy).toBe('exponential');
      expect(backoffDelay * (2 ** retry - 1)).toBeGreaterThanOrEqual(60_000);
      expect(timeout).toBeGreaterThanOrEqual(120_000);
      expect(deadLetterSink).toMatchObject({ ref: { kind: 'Service', name: 'magnum-dead-letters' } });
      expect(spec.broker).toBe(brokers[0]?.metadata.name);
    },
  );
});

const services = servicesOf(manifests);
const byName = services.map((each) => [each.metadata.name, each] as const);

describe('the Services', () => {
  test('are the functions of the contract and the sink of dead letters, each started by its argument from the one image', () => {
    const started = services.map(({ metadata, spec }) => {
      const [{ name, image, args }] = spec.template.spec.containers;
      return { service: metadata.name, name, image, args };
    });
    const expected = [...functionNames, 'dead-letters'].map((name) => ({
      service: `magnum-${name}`,
      name,
      image: 'magnum-capi-functions',
      args: [name],
    }));
    expect(started.toSorted(byService)).toEqual(expected.toSorted(byService));
    const bundles = bundleEntries.filter(({ startedBy }) => startedBy === 'argument').map(({ name }) => name);
    expect(bundles).toEqual(expect.arrayContaining(started.map(({ args }) => args[0])));
  });

  test.each(byName)('%s runs without rights on its node, as an account of its own that exists', (name, { spec }) => {
    const { containers, serviceAccountName } = spec.template.spec;
    expect(containers[0].securityContext).toEqual({
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(serviceAccountName).toBe(name);
    expect(namesOf('ServiceAccount')).toContain(serviceAccountName);
  });

  test.each(byName)(
    '%s scales to zero and back without delay, within bounds, and may take longer than its host does',
    (_name, { spec }) => {
      const { annotations } = spec.template.metadata;
      expect(annotations).toMatchObject({
        'autoscaling.knative.dev/min-scale': '0',
        'autoscaling.knative.dev/target-burst-capacity': '0',
        'autoscaling.knative.dev/scale-to-zero-pod-retention-period': expect.stringMatching(/^[1-5]m$/),
      });
      expect(Number(annotations['autoscaling.knative.dev/max-scale'])).toBeGreaterThan(0);
      const { timeoutSeconds, enableServiceLinks, containers } = spec.template.spec;
      expect(timeoutSeconds).toBeGreaterThan(110);
      expect(enableServiceLinks).toBe(false);
      // With a period, the kubelet would ask once a second instead of Knative twenty times.
      expect(containers[0].readinessProbe).toEqual({ httpGet: { path: '/health/readiness' } });
      expect(containers[0].resources.limits).toHaveProperty('memory');
    },
  );

  test('only the functions that take requests of users are reachable from outside', () => {
    const visible = services.filter(
      ({ metadata }) => metadata.labels['networking.knative.dev/visibility'] !== 'cluster-local',
    );
    expect(visible.map(({ metadata }) => metadata.name)).toEqual([
      'magnum-create',
      'magnum-resize',
      'magnum-upgrade',
      'magnum-delete',
    ]);
  });

  test('all that an event is delivered to exists', () => {
    const sinks = [...triggers.map(({ spec }) => spec.subscriber), ...triggers.map(deadLetterSink), brokerSink()];
    const named = sinks.flatMap((sink) => (sink !== undefined && 'ref' in sink ? [sink.ref] : []));
    for (const { kind, name } of named) {
      expect(kind).toBe('Service');
      expect(services.map(({ metadata }) => metadata.name)).toContain(name);
    }
    for (const { spec } of [...apiServerSources, ...pingSources]) {
      expect(spec.sink).toMatchObject({ ref: { kind: 'Broker', name: brokers[0]?.metadata.name } });
    }
  });
});

function byService(one: { readonly service: string }, other: { readonly service: string }): number {
  return one.service < other.service ? -1 : 1;
}

function namesOf(kind: string): readonly string[] {
  return manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name);
}

function deadLetterSink({ spec }: Trigger) {
  return spec.delivery?.deadLetterSink;
}

function brokerSink() {
  return brokers[0]?.spec.delivery?.deadLetterSink;
}

test('the resync comes every five minutes', () => {
  expect(pingSources.map(({ spec }) => spec.schedule)).toEqual(['*/5 * * * *']);
});
