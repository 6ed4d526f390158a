import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import { makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { completeEvent, type ExampleEvent, eventData, readExample } from '../functions/example-event.ts';
import { objectsOf } from '../functions/live-objects.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';

const stage = stageOfFile();

const payload = eventData.extend({ method: z.string() });

/** Recorded payloads, where somebody has put them beside the project. */
const recordings = new URL('../../../shared/samples/', import.meta.url);

function recordedCreates(): [name: string, data: z.infer<typeof payload>][] {
  return recordedFiles().flatMap((name) => {
    const parsed = payload.safeParse(JSON.parse(readFileSync(new URL(name, recordings), 'utf8')));
    return parsed.success && parsed.data.method === 'create_cluster' ? [[name, parsed.data]] : [];
  });
}

function recordedFiles(): string[] {
  try {
    return readdirSync(recordings).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

/** Every create that the project has, its own examples first. */
async function creates(): Promise<[name: string, event: ExampleEvent][]> {
  const names = ['cluster-create-plain.json', 'cluster-create-full.json'];
  const examples = await Promise.all(names.map(async (name) => [name, await readExample(name)] as const));
  const [[, plain] = []] = examples;
  if (plain === undefined) throw new Error('There is an example.');
  const recorded = recordedCreates().map(
    ([name, data]) => [name, { ...plain, data: { ...plain.data, ...data } }] as const,
  );
  return [...examples, ...recorded].map(([name, event]) => [name, event]);
}

interface Mutation {
  readonly distribution: string;
  readonly image: string;
}

/** The event as a cluster of its own, with another distribution in its template. */
async function mutated(event: ExampleEvent, { distribution, image }: Mutation): Promise<ExampleEvent> {
  const uuid = randomUUID();
  const { cluster, cluster_template, nodegroups } = event.data;
  const own = {
    ...event,
    id: `req-${uuid}`,
    subject: uuid,
    partitionkey: uuid,
    data: {
      ...event.data,
      cluster: { ...cluster, uuid },
      cluster_template: { ...cluster_template, cluster_distro: distribution, image_id: image },
      nodegroups: nodegroups.map((group) => ({ ...group, image_id: image })),
    },
  };
  return completeEvent(own, { cloud: stage().cloud, certificates: await makeClusterCertificates(uuid) });
}

const distributions = ['ubuntu', 'debian', 'rockylinux', 'flatcar'];

describe.each(await creates())('the payload %s', (_name, event) => {
  test.each(distributions)('creates a cluster of %s that Cluster API reconciles', async (distribution) => {
    const image =
      stage().cloud.state.images.find(({ properties }) => properties['os_distro'] === distribution)?.id ?? '';
    const name = acceptedStackId(await stage().send(await mutated(event, { distribution, image })));
    await waitForTopology(stage().api, name);

    const masters = event.data.nodegroups.filter((group) => group['role'] === 'master');
    const workers = event.data.nodegroups.filter((group) => group['role'] !== 'master');
    const [controlPlane] = await objectsOf(stage().kubernetes, resources.kubeadmControlPlane, name);
    const format = distribution === 'flatcar' ? 'ignition' : 'cloud-config';
    expect(controlPlane).toMatchObject({
      spec: { replicas: masters[0]?.['node_count'], version: kubeTag(event), kubeadmConfigSpec: { format } },
    });
    const deployments = await objectsOf(stage().kubernetes, resources.machineDeployment, name);
    expect(deployments.map(({ metadata }) => metadata?.labels?.['topology.cluster.x-k8s.io/deployment-name'])).toEqual(
      workers.map((group) => group['name']),
    );
    for (const template of await objectsOf(stage().kubernetes, resources.openStackMachineTemplate, name)) {
      expect(template).toMatchObject({ spec: { template: { spec: { image: { id: image } } } } });
    }
  });
});

function kubeTag(event: ExampleEvent): string {
  return z.looseObject({ kube_tag: z.string() }).parse(event.data.cluster.labels).kube_tag;
}
