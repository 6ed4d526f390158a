import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { stackId } from '../../shared/magnum/stack-id.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { hostileNames } from '../cloud/openstack/default-state.ts';
import { createEvent } from '../functions/create-event.ts';
import { objectsOf, versionsOf } from '../functions/live-objects.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';

const stage = stageOfFile();

describe('an event that creates a cluster', () => {
  test('becomes a Cluster whose topology Cluster API reconciles', async () => {
    const event = await createEvent(stage().cloud);
    const name = acceptedStackId(await stage().send(event));
    expect(name).toBe(stackId(event.subject, 0));
    await waitForTopology(stage().api, name);

    const [controlPlane] = await objects(resources.kubeadmControlPlane, name);
    expect(controlPlane).toMatchObject({ spec: { replicas: 1, version: 'v1.33.4' } });
    const deployments = await objects(resources.machineDeployment, name);
    expect(deployments).toMatchObject([{ spec: { replicas: 2, clusterName: name } }]);
    const [infrastructure] = await objects(resources.openStackCluster, name);
    expect(infrastructure).toMatchObject({
      spec: { identityRef: { name: `${name}-cloud-config`, cloudName: 'default' } },
    });
    expect(await objects(resources.openStackMachineTemplate, name)).toHaveLength(2);
  });

  test('records the operation with its deadline on the Cluster', async () => {
    const event = await createEvent(stage().cloud);
    const cluster = await getCluster(acceptedStackId(await stage().send(event)));
    const record = JSON.parse(annotations(cluster)['magnum.openstack.org/operation'] ?? '');
    expect(record).toEqual({
      id: event.id,
      type: 'cluster.create',
      started: event.time,
      deadline: new Date(Date.parse(event.time) + 60 * 60_000).toISOString(),
      completed: null,
    });
  });

  test('leaves one line in the log, with what it cost', async () => {
    const event = await createEvent(stage().cloud);
    acceptedStackId(await stage().sendOnce(event));
    const lines = (await stage().processOf('create')).logLines.map((line) => JSON.parse(line));
    const own = lines.filter((line) => line.event_id === event.id);
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ cluster: event.subject, event_type: event.type, outcome: 'accepted', status: 200 });
    expect(own[0].duration_ms).toBeGreaterThan(0);
    expect(own[0].kubernetes_calls).toBeGreaterThanOrEqual(12);
    expect(own[0].kubernetes_calls).toBeLessThanOrEqual(20);
    expect(own[0].openstack_calls).toBeGreaterThanOrEqual(10);
  });

  test("gives Cluster API Magnum's certificate authorities", async () => {
    const event = await createEvent(stage().cloud);
    const name = acceptedStackId(await stage().send(event));
    const certificates = event.data['certificates'] as Record<string, { certificate: string; private_key: string }>;
    for (const [suffix, key] of [
      ['ca', 'ca'],
      ['etcd', 'etcd'],
      ['proxy', 'front_proxy'],
      ['sa', 'sa'],
    ] as const) {
      const secret = await getSecret(`${name}-${suffix}`);
      expect(secret.type).toBe('cluster.x-k8s.io/secret');
      expect(decoded(secret, 'tls.crt')).toBe(certificates[key]?.certificate);
      expect(decoded(secret, 'tls.key')).toBe(certificates[key]?.private_key);
    }
  });

  test('makes one application credential of the user, and CAPO can sign in with it', async () => {
    const event = await createEvent(stage().cloud);
    const name = acceptedStackId(await stage().send(event));
    const credentials = stage().cloud.state.applicationCredentials.filter((one) => one.name.startsWith(event.subject));
    expect(credentials).toHaveLength(1);
    const cloudsYaml = decoded(await getSecret(`${name}-cloud-config`), 'clouds.yaml');
    expect(cloudsYaml).toContain(credentials[0]?.id);
    expect(cloudsYaml).toContain(credentials[0]?.secret);
  });

  test.each(hostileNames)('keeps the volume type %s as it is', async (type) => {
    const event = await createEvent(stage().cloud, { labels: { boot_volume_size: '20', boot_volume_type: type } });
    const name = acceptedStackId(await stage().send(event));
    await waitForTopology(stage().api, name);
    for (const template of await objects(resources.openStackMachineTemplate, name)) {
      expect(template).toMatchObject({ spec: { template: { spec: { rootVolume: { type, sizeGiB: 20 } } } } });
    }
  });

  test('uses the name that Magnum knows already', async () => {
    const event = await createEvent(stage().cloud, { cluster: { stack_id: 'kube-magn1' } });
    expect(acceptedStackId(await stage().send(event))).toBe('kube-magn1');
  });

  test.each([
    ['Secret', `-cloud-config`, resources.secret],
    ['Cluster', '', resources.cluster],
  ])(
    "takes the next name where another cluster's %s has the first, and leaves that alone",
    async (_kind, rest, type) => {
      const event = await createEvent(stage().cloud);
      const first = stackId(event.subject, 0);
      const other = await createEvent(stage().cloud, { cluster: { stack_id: first } });
      acceptedStackId(await stage().send(other));
      const left = type === resources.secret ? resources.cluster : resources.secret;
      await stage().kubernetes.delete(left, {
        namespace,
        name: left === resources.cluster ? first : `${first}-cloud-config`,
      });
      const authority = await getSecret(`${first}-ca`);
      expect(acceptedStackId(await stage().send(event))).toBe(stackId(event.subject, 1));
      const owner = await stage().kubernetes.get<KubernetesObject>(type, { namespace, name: `${first}${rest}` });
      expect(owner.metadata?.labels?.['cluster-uuid']).toBe(other.subject);
      expect((await getSecret(`${first}-ca`)).metadata?.resourceVersion).toBe(authority.metadata?.resourceVersion);
    },
  );
});

describe('a create that comes again', () => {
  test('changes no object and gets the same reply', async () => {
    const event = await createEvent(stage().cloud);
    const first = await stage().send(event);
    const name = acceptedStackId(first);
    await waitForTopology(stage().api, name);
    // The controllers go on writing for a while: a write of the function's own would show every time.
    const again = async () => {
      const before = await versions(name);
      const second = await stage().send(event);
      expect(second.data).toEqual(first.data);
      expect(second.headers['ce-id']).toBe(first.headers['ce-id']);
      expect(await versions(name)).toEqual(before);
    };
    await vi.waitFor(again, { timeout: 90_000, interval: 3_000 });
  });

  test('under another id leaves the same objects, record and reply', async () => {
    const event = await createEvent(stage().cloud);
    const first = await stage().send(event);
    const name = acceptedStackId(first);
    const second = await stage().send({ ...event, id: `req-${randomUUID()}`, time: new Date().toISOString() });
    expect(second.data).toEqual(first.data);
    const record = annotations(await getCluster(name))['magnum.openstack.org/operation'];
    expect(JSON.parse(record ?? '')).toMatchObject({ id: event.id });
    expect(credentialsOf(event.subject)).toBe(1);
  });

  test('after a newer operation was recorded is superseded', async () => {
    const event = await createEvent(stage().cloud);
    const name = acceptedStackId(await stage().send(event));
    const record = {
      id: 'newer',
      type: 'cluster.upgrade',
      started: '2999-01-01T00:00:00Z',
      deadline: null,
      completed: null,
    };
    await annotate(name, 'magnum.openstack.org/operation', JSON.stringify(record));
    const answer = await stage().send(event);
    expect(answer).toMatchObject({ status: 200, data: { code: 'superseded' } });
  });
});

function credentialsOf(uuid: string): number {
  return stage().cloud.state.applicationCredentials.filter(({ name }) => name.startsWith(uuid)).length;
}

/** What the driver writes, and what Cluster API makes of it. */
const own = [
  resources.secret,
  resources.cluster,
  resources.kubeadmControlPlane,
  resources.machineDeployment,
  resources.openStackCluster,
  resources.openStackMachineTemplate,
] as const;
const shared = [
  resources.clusterClass,
  resources.kubeadmControlPlaneTemplate,
  resources.kubeadmConfigTemplate,
  resources.openStackClusterTemplate,
] as const;

/** The class and its templates; other tests make copies of templates meanwhile. */
const classPrefix = 'magnum-v';

/** Resource versions of everything that belongs to the cluster, the class included. */
async function versions(name: string): Promise<Record<string, string>> {
  const found = await Promise.all([
    ...own.map(async (type) => versionsOf(type, await objects<KubernetesObject>(type, name))),
    ...shared.map(async (type) => versionsOf(type, await objects<KubernetesObject>(type, classPrefix))),
  ]);
  return Object.assign({}, ...found);
}

function objects<T extends KubernetesObject>(type: ResourceType<T>, name: string): Promise<readonly T[]> {
  return objectsOf(stage().kubernetes, type, name);
}

function getCluster(name: string) {
  return stage().kubernetes.get(resources.cluster, { namespace, name });
}

function getSecret(name: string) {
  return stage().kubernetes.get(resources.secret, { namespace, name });
}

async function annotate(name: string, key: string, value: string): Promise<void> {
  const path = `/metadata/annotations/${key.replaceAll('/', '~1')}`;
  await stage().kubernetes.patch(resources.cluster, { namespace, name }, { operations: [{ op: 'add', path, value }] });
}

function annotations({ metadata }: KubernetesObject): Readonly<Record<string, string>> {
  return metadata?.annotations ?? {};
}

function decoded({ data }: { readonly data?: Readonly<Record<string, string>> }, key: string): string {
  return Buffer.from(data?.[key] ?? '', 'base64').toString('utf8');
}
