import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findEntry } from '../../shared/kubernetes/live-cluster.ts';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { notesOf, overridesOf, runningCluster, variablesOf } from './running-cluster.ts';

const stage = stageOfFile();

/** An image that the examples do not use; unlike theirs it names no bus for its disks. */
const otherImage = 'ubuntu-2204-kube-v1.31';

function imageVariables(name: string): Record<string, string> {
  const found = stage().cloud.state.images.find((image) => image.name === name);
  return { imageUUID: found?.id ?? '', hardwareDiskBus: found?.properties['hw_disk_bus'] ?? '' };
}

/** Kubernetes calls that an event cost, beside those of authorisation. */
async function callsOf(id: string): Promise<number> {
  const { logLines } = await stage().processOf('upgrade');
  const [line] = logLines.map((text) => JSON.parse(text)).filter((parsed) => parsed.event_id === id);
  return z.object({ kubernetes_calls: z.int() }).parse(line).kubernetes_calls;
}

describe('an upgrade', () => {
  test('gives the topology another version and image, and nothing else', async () => {
    const cluster = await runningCluster(stage());
    const before = await cluster.read();
    const event = cluster.magnum.upgrade('v1.34.1', { image_id: otherImage });
    expect(notesOf(await stage().send(event))).toEqual([]);
    const after = await cluster.read();
    expect(after.spec.topology.version).toBe('v1.34.1');
    expect(variablesOf(after)).toEqual({ ...variablesOf(before), ...imageVariables(otherImage) });
    const worker = overridesOf(before, 'default-worker');
    expect(overridesOf(after, 'default-worker')).toEqual({ ...worker, ...imageVariables(otherImage) });
    expect(after.spec.topology.controlPlane).toEqual(before.spec.topology.controlPlane);
    const { classRef } = after.spec.topology;
    await stage().kubernetes.get(resources.clusterClass, { namespace, name: classRef.name });
    const record = readRecord(after.metadata.annotations, null);
    expect(record).toMatchObject({ id: event.id, type: 'cluster.upgrade', completed: null });
    // One master and two workers, half an hour each.
    expect(Date.parse(record?.deadline ?? '') - Date.parse(event.time)).toBe(90 * 60_000);
  });

  test('that is sent again is accepted without a write', async () => {
    const cluster = await runningCluster(stage());
    const event = cluster.magnum.upgrade('v1.34.1');
    const first = await stage().send(event);
    const { generation } = { ...(await cluster.read()).metadata };
    stage().cloud.requests.length = 0;
    expect((await stage().send(event)).data).toEqual(first.data);
    expect((await cluster.read()).metadata['generation']).toBe(generation);
    const isWrite = ({ method, path }: { readonly method: string; readonly path: string }) =>
      method !== 'GET' && !path.endsWith('/auth/tokens');
    expect(stage().cloud.requests.filter(isWrite)).toEqual([]);
  });

  test('to the same version with another image is possible while one is under way, and says what is rebuilt', async () => {
    const cluster = await runningCluster(stage());
    acceptedStackId(await stage().send(cluster.magnum.upgrade('v1.34.1')));
    const notes = notesOf(await stage().send(cluster.magnum.upgrade('v1.34.1', { image_id: otherImage })));
    const names = '(imageUUID, hardwareDiskBus)';
    expect(notes).toEqual([
      `Although the version stays, machines are rebuilt: default-master ${names}; default-worker ${names}.`,
    ]);
    expect(variablesOf(await cluster.read())).toMatchObject(imageVariables(otherImage));
  });

  test('to what the cluster is already changes nothing, whatever release does it', async () => {
    const cluster = await runningCluster(stage());
    const before = await cluster.read();
    const bundle = await stage().bundleOf('9.9.9-another', 'upgrade');
    const release = await stage().startAnother({ name: 'upgrade', bundle });
    const notes = notesOf(await stage().send(cluster.magnum.upgrade('v1.33.4'), release.url));
    expect(notes).toEqual(['No machine is rebuilt.']);
    const after = await cluster.read();
    expect(after.spec.topology).toEqual({ ...before.spec.topology, classRef: after.spec.topology.classRef });
    expect(after.spec.topology.classRef.name).toContain('9.9.9-another');
  });

  test("replaces the autoscaler of the former version, also another driver's", async () => {
    const labels = { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '5' };
    const cluster = await runningCluster(stage(), { labels });
    const name = `${cluster.name}-autoscaler`;
    const { metadata, spec } = await stage().kubernetes.get(resources.deployment, { namespace, name });
    await stage().kubernetes.delete(resources.deployment, { namespace, name }, { propagationPolicy: 'Background' });
    await stage().kubernetes.create(resources.deployment, {
      metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': 'Helm' } },
      ...(spec && { spec }),
    });
    expect(metadata?.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'magnum-capi-functions' });
    const event = cluster.magnum.upgrade('v1.34.1');
    expect(notesOf(await stage().send(event))).toEqual([]);
    const after = await stage().kubernetes.get(resources.deployment, { namespace, name });
    expect(after.metadata?.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'magnum-capi-functions' });
    expect(JSON.stringify(after.spec)).toContain('cluster-autoscaler:v1.34.');
    // Sixteen; each version of the Cluster that is written meanwhile costs two more.
    expect(await callsOf(event.id)).toBeLessThanOrEqual(22);
    const record = readRecord((await cluster.read()).metadata.annotations, null);
    // A master, and as many workers as there may be.
    expect(Date.parse(record?.deadline ?? '') - Date.parse(record?.started ?? '')).toBe(6 * 30 * 60_000);
  });

  test('makes a server group anew that is gone from the cloud, and records it', async () => {
    const cluster = await runningCluster(stage());
    const { state } = stage().cloud;
    const index = state.serverGroups.findIndex(({ name }) => name === `${cluster.name}-default-worker`);
    const [lost] = state.serverGroups.splice(index, 1);
    acceptedStackId(await stage().send(cluster.magnum.upgrade('v1.34.1')));
    const found = state.serverGroups.find(({ name }) => name === `${cluster.name}-default-worker`);
    expect(found?.id).not.toBe(lost?.id);
    expect(overridesOf(await cluster.read(), 'default-worker')['serverGroupId']).toBe(found?.id);
    const secret = await stage().kubernetes.get(resources.secret, { namespace, name: `${cluster.name}-cloud-config` });
    expect(JSON.stringify(secret.metadata?.annotations)).toContain(found?.id);
  });

  test('needs neither the key pair nor the networks by the names that they had', async () => {
    const cluster = await runningCluster(stage(), {
      cluster: { fixed_network: 'private', fixed_subnet: 'private-subnet' },
    });
    const before = variablesOf(await cluster.read());
    const { state } = stage().cloud;
    const kept = { networks: [...state.networks], keypairs: [...state.keypairs] };
    state.networks.length = 0;
    state.keypairs.length = 0;
    const notes = notesOf(await stage().send(cluster.magnum.upgrade('v1.34.1')));
    state.networks.push(...kept.networks);
    state.keypairs.push(...kept.keypairs);
    expect(notes).toEqual([]);
    expect(variablesOf(await cluster.read())).toEqual(before);
  });

  test('says what of the new template it does not apply', async () => {
    const cluster = await runningCluster(stage());
    const labels = { kube_tag: 'v1.34.1', boot_volume_size: '50', ['x'.repeat(10_000)]: 'y' };
    const notes = notesOf(await stage().send(cluster.magnum.upgrade('v1.34.1', { labels, network_driver: 'cilium' })));
    const beginning = 'An upgrade takes only kube_tag and image_id of the new template, not its';
    expect(notes).toEqual([
      `${beginning} labels boot_volume_size, ${'x'.repeat(60)}….`,
      `${beginning} fields network_driver.`,
    ]);
    expect(variablesOf(await cluster.read())['bootVolume']).toMatchObject({ size: 0 });
  });
});

describe('a nodegroup', () => {
  test('that came after the snapshot is upgraded with the others, and keeps what it has', async () => {
    const cluster = await runningCluster(stage());
    const upgrade = cluster.magnum.upgrade('v1.34.1', { image_id: otherImage });
    acceptedStackId(await stage().send(cluster.magnum.createNodegroup('gpu', { labels: { boot_volume_size: '50' } })));
    const before = overridesOf(await cluster.read(), 'gpu');
    acceptedStackId(await stage().send(upgrade));
    const after = await cluster.read();
    expect(overridesOf(after, 'gpu')).toEqual({ ...before, ...imageVariables(otherImage) });
    expect(readRecord(after.metadata.annotations, 'gpu')).toMatchObject({ type: 'nodegroup.create' });
  });

  test('whose row could never be carried out does not stand in the way', async () => {
    const cluster = await runningCluster(stage());
    const broken = cluster.magnum.createNodegroup('broken', { labels: { boot_volume_size: 'huge' } });
    expect((await stage().send(broken)).type).toContain('rejected');
    acceptedStackId(await stage().send(cluster.magnum.upgrade('v1.34.1')));
    expect(findEntry(await cluster.read(), 'broken')).toBeNull();
  });

  test('that somebody adds, resizes or takes away while the cloud is asked is as he left it', async () => {
    const cluster = await runningCluster(stage());
    acceptedStackId(await stage().send(cluster.magnum.createNodegroup('old')));
    const { kubernetes, cloud } = stage();
    const added = { name: 'added', class: 'default-worker', replicas: 3 };
    const root = '/spec/topology/workers/machineDeployments';
    const operations = [
      { op: 'replace', path: `${root}/0/replicas`, value: 7 },
      { op: 'remove', path: `${root}/1` },
      { op: 'add', path: `${root}/-`, value: added },
      { op: 'replace', path: '/spec/topology/controlPlane/replicas', value: 3 },
    ] as const;
    const change = () => kubernetes.patch(resources.cluster, { namespace, name: cluster.name }, { operations });
    cloud.faults.inject({ service: 'compute', path: '/flavors/detail', before: change });
    acceptedStackId(await stage().send(cluster.magnum.upgrade('v1.34.1', { image_id: otherImage })));
    const after = await cluster.read();
    const { workers, controlPlane, version } = after.spec.topology;
    expect(version).toBe('v1.34.1');
    expect(controlPlane?.replicas).toBe(3);
    expect(workers?.machineDeployments?.map(({ name, replicas }) => ({ name, replicas }))).toEqual([
      { name: 'default-worker', replicas: 7 },
      { name: 'added', replicas: 3 },
    ]);
    expect(overridesOf(after, 'added')).toEqual(imageVariables(otherImage));
  });

  test('that was changed after the snapshot keeps the change', async () => {
    const cluster = await runningCluster(stage());
    acceptedStackId(await stage().send(cluster.magnum.createNodegroup('gpu')));
    const upgrade = cluster.magnum.upgrade('v1.34.1', { image_id: otherImage });
    const update = cluster.magnum.updateNodegroup('gpu', { node_labels: { 'example.org/pool': 'gpu' } });
    acceptedStackId(await stage().send({ ...update, time: new Date(Date.parse(upgrade.time) + 1000).toISOString() }));
    acceptedStackId(await stage().send(upgrade));
    expect(overridesOf(await cluster.read(), 'gpu')).toMatchObject({
      nodeLabels: 'example.org/pool=gpu',
      ...imageVariables(otherImage),
    });
  });
});

describe('the class', () => {
  test('that is taken away while the cloud is asked is written again', { timeout: 120_000 }, async () => {
    const cluster = await runningCluster(stage());
    const bundle = await stage().bundleOf('0.1.0-taken', 'upgrade');
    const release = await stage().startAnother({ name: 'upgrade', bundle });
    const { kubernetes, cloud } = stage();
    const isTaken = ({ metadata }: { metadata?: { name?: string } }) =>
      metadata?.name?.includes('0.1.0-taken') ?? false;
    const taken: string[] = [];
    // The function writes the class while it asks the cloud.
    const written = async () => {
      const found = (await kubernetes.list(resources.clusterClass, { namespace })).find(isTaken);
      if (found?.metadata?.name === undefined) throw new Error('there is no class yet');
      return found.metadata.name;
    };
    const takeAway = async () => {
      const name = await waitFor(written, { what: 'the class', timeout: 10_000 });
      await kubernetes.delete(resources.clusterClass, { namespace, name });
      taken.push(name);
    };
    cloud.faults.inject({ service: 'image', method: 'GET', delayMs: 1_500, before: takeAway });
    acceptedStackId(await stage().send(cluster.magnum.upgrade('v1.34.1'), release.url));
    const { classRef, version } = (await cluster.read()).spec.topology;
    expect(taken).toEqual([classRef.name]);
    expect(version).toBe('v1.34.1');
    expect(classRef.name).toContain('0.1.0-taken');
    await kubernetes.get(resources.clusterClass, { namespace, name: classRef.name });
  });
});
