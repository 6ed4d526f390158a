import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { readCloudConfigRecord } from '../../shared/render/cloud-config.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { objectsOf } from '../functions/live-objects.ts';
import { nodegroupEvent } from '../functions/nodegroup-event.ts';
import { moveToOldClass } from '../functions/old-class.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { simulateControlPlane } from '../functions/simulated-control-plane.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';

const stage = stageOfFile();

/** Creates a cluster and gives the event that did it. */
async function newCluster(): Promise<ExampleEvent> {
  const event = await createEvent(stage().cloud);
  acceptedStackId(await stage().send(event));
  return event;
}

/** A cluster to which Cluster API adds machine deployments. */
async function runningCluster(): Promise<ExampleEvent> {
  const event = await newCluster();
  const name = acceptedStackId(await stage().send(event));
  await waitForTopology(stage().api, name);
  await simulateControlPlane(stage().api, name);
  return event;
}

/** The records of operations, the driver's own annotations that a nodegroup adds to. */
function records({ metadata }: KubernetesObject): [key: string, value: string][] {
  const key = /^(magnum\.openstack\.org\/operation$|nodegroup\.magnum\.openstack\.org\/)/;
  return Object.entries(metadata?.annotations ?? {}).filter(([name]) => key.test(name));
}

async function entries(name: string): Promise<{ name: string }[]> {
  const { spec } = await stage().kubernetes.get(resources.cluster, { namespace, name });
  return (spec as { topology: { workers: { machineDeployments: { name: string }[] } } }).topology.workers
    .machineDeployments;
}

describe('an event that creates a nodegroup', () => {
  test('becomes a machine deployment with its own zone, volume, labels and taints', async () => {
    const cluster = await runningCluster();
    const taint = { key: 'example.org/gpu', value: 'true', effect: 'NoSchedule' };
    const event = nodegroupEvent(cluster, 'gpu', {
      labels: { availability_zone: 'az2', boot_volume_size: '50' },
      node_labels: { 'example.org/pool': 'gpu' },
      node_taints: [taint],
    });
    const name = acceptedStackId(await stage().send(event));
    await waitForTopology(stage().api, name);
    const [deployment] = await objectsOf(stage().kubernetes, resources.machineDeployment, `${name}-gpu`);
    expect(deployment).toMatchObject({ spec: { template: { spec: { failureDomain: 'az2' } } } });
    const [machine] = await objectsOf(stage().kubernetes, resources.openStackMachineTemplate, `${name}-gpu`);
    expect(machine).toMatchObject({ spec: { template: { spec: { rootVolume: { sizeGiB: 50 } } } } });
    const [bootstrap] = await objectsOf(stage().kubernetes, resources.kubeadmConfigTemplate, `${name}-gpu`);
    const { taints, kubeletExtraArgs } = registration(bootstrap);
    expect(taints).toEqual([taint]);
    expect(kubeletExtraArgs).toContainEqual({ name: 'node-labels', value: 'example.org/pool=gpu' });
  });

  test('gets a server group of its own in the cloud', async () => {
    const cluster = await newCluster();
    const name = acceptedStackId(await stage().send(nodegroupEvent(cluster, 'extra')));
    const groups = stage().cloud.state.serverGroups.filter((group) => group.name === `${name}-extra`);
    expect(groups).toHaveLength(1);
    const secret = await stage().kubernetes.get(resources.secret, { namespace, name: `${name}-cloud-config` });
    expect(readCloudConfigRecord(secret)?.serverGroups).toMatchObject({ [`${name}-extra`]: groups[0]?.id });
  });

  test('that comes again, under its own or another id, changes nothing', async () => {
    const cluster = await newCluster();
    const event = nodegroupEvent(cluster, 'again');
    const first = await stage().send(event);
    const name = acceptedStackId(first);
    const before = await stage().kubernetes.get(resources.cluster, { namespace, name });
    for (const repeated of [event, { ...event, id: `req-${randomUUID()}` }]) {
      expect((await stage().send(repeated)).data).toEqual(first.data);
    }
    const after = await stage().kubernetes.get(resources.cluster, { namespace, name });
    // The rest of the spec is Cluster API's, which may still be at work.
    const topology = (one: typeof after) => (one.spec as { topology: object }).topology;
    expect(topology(after)).toEqual(topology(before));
    expect(records(after)).toEqual(records(before));
    expect(records(after)).toHaveLength(2);
  });

  test('loses nothing when six come at once through two processes', async () => {
    const cluster = await runningCluster();
    const other = await stage().startAnother();
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    const answers = await Promise.all(
      names.map((name, index) => stage().send(nodegroupEvent(cluster, name), index % 2 === 0 ? undefined : other.url)),
    );
    const [stack = ''] = answers.map(acceptedStackId);
    const found = (await entries(stack)).map((entry) => entry.name);
    expect(found.toSorted()).toEqual(['default-worker', ...names].toSorted());
    await waitForTopology(stage().api, stack);
    expect(await objectsOf(stage().kubernetes, resources.machineDeployment, stack)).toHaveLength(7);
  });

  test('records its operation beside that of the cluster', async () => {
    const cluster = await newCluster();
    const event = nodegroupEvent(cluster, 'noted');
    const name = acceptedStackId(await stage().send(event));
    const { metadata } = await stage().kubernetes.get(resources.cluster, { namespace, name });
    const record = (key: string) => JSON.parse(metadata?.annotations?.[key] ?? '{}');
    expect(record('magnum.openstack.org/operation')).toMatchObject({ id: cluster.id });
    expect(record('nodegroup.magnum.openstack.org/noted')).toMatchObject({ id: event.id, type: 'nodegroup.create' });
  });
});

describe('a nodegroup is rejected, and nothing is left of it,', () => {
  test.each([
    ['when its name is no label', 'Not_A_Label', {}, 'Not_A_Label'],
    ['when its name is too long', 'n'.repeat(35), {}, '34'],
    ['when its flavor is unknown', 'bad', { flavor_id: 'm9.huge' }, 'm9.huge'],
    ['when its flavor has no disk', 'bad', { flavor_id: 'diskless' }, 'boot_volume_size'],
    [
      'when a label of its nodes is reserved',
      'bad',
      { node_labels: { 'node-role.kubernetes.io/x': '' } },
      'node_labels',
    ],
  ])('%s', async (_title, name, fields, word) => {
    const cluster = await newCluster();
    const answer = await stage().send(nodegroupEvent(cluster, name, fields));
    expect(answer).toMatchObject({ status: 200, type: 'org.openstack.magnum.operation.rejected.v1' });
    expect((answer.data as { message: string }).message).toContain(word);
    const stack = acceptedStackId(await stage().send(cluster));
    expect((await entries(stack)).map((entry) => entry.name)).toEqual(['default-worker']);
    expect(stage().cloud.state.serverGroups.filter((group) => group.name.startsWith(`${stack}-`))).toHaveLength(1);
  });

  test('when there is no such cluster', async () => {
    const unknown = await createEvent(stage().cloud);
    expect((await stage().send(nodegroupEvent(unknown, 'lost'))).data).toMatchObject({ code: 'not_found' });
  });

  test("when the cluster's class is too old for what it asks", async () => {
    const cluster = await newCluster();
    const stack = acceptedStackId(await stage().send(cluster));
    await moveToOldClass(stage(), stack, ['nodeLabels', 'nodeTaints']);
    const asking = nodegroupEvent(cluster, 'labelled', { node_labels: { 'example.org/pool': 'gpu' } });
    expect((await stage().send(asking)).data).toMatchObject({ code: 'upgrade_required' });
    acceptedStackId(await stage().send(nodegroupEvent(cluster, 'plain')));
  });
});

interface Registration {
  readonly taints: object[];
  readonly kubeletExtraArgs: object[];
}

function registration(template: object | undefined): Registration {
  const { spec } = template as {
    spec: { template: { spec: { joinConfiguration: { nodeRegistration: Registration } } } };
  };
  return spec.template.spec.joinConfiguration.nodeRegistration;
}
