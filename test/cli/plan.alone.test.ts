import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../cli/plan/plan-operation.ts';
import type { ServiceCloud } from '../../shared/cloud/service-session.ts';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { moveToOldClass } from '../functions/old-class.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { writeServiceCloud } from '../functions/service-cloud-file.ts';
import { sharedControlPlane, stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';
import { notesOf, type RunningCluster, runningCluster } from '../upgrade/running-cluster.ts';
import { expectDryRuns, leavingEverything, planEvent } from './plan-stage.ts';
import { startRecordingProxy } from './recording-proxy.ts';
import { plannedObjects, type WrittenObject, writtenObjects } from './written-objects.ts';

const stage = stageOfFile();
const otherImage = 'ubuntu-2204-kube-v1.31';

let cluster: RunningCluster;
let directory = '';
/** As the functions of the stage have it. */
let serviceCloud: ServiceCloud | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'magnum-plan-'));
  const { OS_CLIENT_CONFIG_FILE: file = '' } = await writeServiceCloud(directory, stage().cloud);
  serviceCloud = { file, name: 'default' };
  cluster = await runningCluster(stage(), {
    labels: { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '5' },
  });
}, 120_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

function plan(event: ExampleEvent, version?: string): Promise<Plan> {
  return leavingEverything(stage(), () => planEvent(sharedControlPlane(), event, { version, serviceCloud }));
}

interface Doing {
  /** Version that a function takes itself for. @default this release's */
  readonly version?: string;
  /** Ids that the cloud gives are not known before. @default values */
  readonly compare?: 'values' | 'paths';
}

/** Plans an event and then has the function carry it out; expects that what was written is what was planned. */
async function planAndDo(
  name: FunctionName,
  event: ExampleEvent,
  { version, compare = 'values' }: Doing = {},
): Promise<Plan> {
  const planned = await plan(event, version);
  expect(planned.faults).toEqual([]);
  const proxy = await startRecordingProxy(sharedControlPlane());
  const bundle = version === undefined ? {} : { bundle: await stage().bundleOf(version, name) };
  const process = await stage().startAnother({ ...proxy, ...bundle, name });
  const answer = await stage().send(event, process.url);
  await process.stop();
  await proxy.stop();
  expect(acceptedStackId(answer)).toBe(planned.stack_id);
  const seen = compare === 'values' ? (objects: readonly WrittenObject[]) => objects : pathsOf;
  const written = writtenObjects(proxy.writes);
  const collected = await collectedObjects(planned, written);
  expect(seen(plannedObjects(planned.objects).filter(({ object }) => !collected.has(object)))).toEqual(seen(written));
  expect(planned.notes).toEqual(notesOf(answer));
  return planned;
}

/** What is gone without a write: Kubernetes' garbage collector was faster, as with Secrets whose ClusterResourceSet is gone. */
async function collectedObjects({ objects }: Plan, written: readonly WrittenObject[]): Promise<ReadonlySet<string>> {
  const isWritten = new Set(written.map(({ object }) => object));
  const left = objects.filter(({ action, kind, name }) => action === 'delete' && !isWritten.has(`${kind} ${name}`));
  const found = await Promise.all(
    left.map(async ({ kind, name }) => {
      const type = Object.values<ResourceType>(resources).find((resource) => resource.kind === kind);
      const object = type && (await stage().kubernetes.find(type, { namespace, name }));
      return object === undefined ? [`${kind} ${name}`] : [];
    }),
  );
  return new Set(found.flat());
}

function pathsOf(objects: readonly WrittenObject[]) {
  return objects.map(({ fields, ...object }) => ({ ...object, fields: fields.map((field) => Object(field).path) }));
}

/** What becomes of the machines of each group. */
function fates({ machines }: Plan): Record<string, string> {
  return Object.fromEntries(machines.map(({ nodegroup, action }) => [nodegroup, action]));
}

describe('a plan is what then happens:', () => {
  test('a resize of the control plane scales, and rolls nothing', async () => {
    const planned = await planAndDo('resize', cluster.magnum.resize('default-master', 3));
    expect(fates(planned)).toEqual({ 'default-master': 'scale', 'default-worker': 'none' });
    expect(planned.machines[0]?.replicas).toEqual({ from: 1, to: 3 });
    expect(planned.objects.map(({ kind }) => kind)).toEqual(['Cluster']);
    expect(planned.cloud).toEqual([]);
  });

  test('a new nodegroup gets a server group, whose id nobody knows yet', async () => {
    const event = cluster.magnum.createNodegroup('gpu', { node_count: 1 });
    const planned = await planAndDo('create', event, { compare: 'paths' });
    expect(fates(planned)).toEqual({ 'default-master': 'none', 'default-worker': 'none', gpu: 'create' });
    expect(planned.cloud).toEqual([{ action: 'create', what: 'server group', name: `${cluster.name}-gpu` }]);
    expect(JSON.stringify(planned.objects)).toContain('(id of the new server group)');
  });

  test('labels of a nodegroup roll its own machines alone', async () => {
    const event = cluster.magnum.updateNodegroup('gpu', { node_labels: { 'example.org/pool': 'gpu' } });
    const planned = await planAndDo('resize', event);
    expect(fates(planned)).toEqual({ 'default-master': 'none', 'default-worker': 'none', gpu: 'replace' });
  });

  test('a nodegroup that goes', async () => {
    const planned = await planAndDo('delete', cluster.magnum.deleteNodegroup('gpu'));
    expect(fates(planned)).toEqual({ 'default-master': 'none', 'default-worker': 'none', gpu: 'delete' });
  });

  test('the same version by a release whose class differs in name alone rolls nothing', async () => {
    const planned = await planAndDo('upgrade', cluster.magnum.upgrade('v1.33.4'), { version: '9.9.9-planned' });
    expect(fates(planned)).toEqual({ 'default-master': 'none', 'default-worker': 'none' });
    expect(planned.objects.map(({ action, kind }) => `${action} ${kind}`)).toContain('create ClusterClass');
    expect(planned.warnings).toEqual([
      expect.stringContaining('could not judge the Cluster by class magnum-v9.9.9-planned-'),
    ]);
  });

  test("an upgrade to another version and image, of another driver's autoscaler too", async () => {
    // Until the topology controller has looked at the one before, there is no other.
    await waitForTopology(stage().api, cluster.name);
    const name = `${cluster.name}-autoscaler`;
    const { spec } = await stage().kubernetes.get(resources.deployment, { namespace, name });
    await stage().kubernetes.delete(resources.deployment, { namespace, name }, { propagationPolicy: 'Background' });
    await stage().kubernetes.create(resources.deployment, {
      metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': 'Helm' } },
      ...(spec && { spec }),
    });
    const planned = await planAndDo('upgrade', cluster.magnum.upgrade('v1.34.1', { image_id: otherImage }));
    expect(fates(planned)).toEqual({ 'default-master': 'replace', 'default-worker': 'replace' });
    expect(planned.machines[0]?.reasons).toEqual(['Kubernetes v1.33.4 → v1.34.1', 'other imageUUID, hardwareDiskBus']);
    expect(planned.objects.map(({ kind }) => kind)).toContain('Deployment');
  });

  test('another image alone', async () => {
    const planned = await planAndDo(
      'upgrade',
      cluster.magnum.upgrade('v1.34.1', { image_id: 'ubuntu-2204-kube-v1.30' }),
    );
    expect(fates(planned)).toEqual({ 'default-master': 'replace', 'default-worker': 'replace' });
    expect(planned.machines.flatMap(({ reasons }) => reasons)).toEqual(
      Array(2).fill('other imageUUID, hardwareDiskBus'),
    );
  });

  test('a rotated credential rolls nothing', async () => {
    const token = await stage().cloud.identity.signIn({ user: 'demo', project: 'demo' });
    const userId = stage().cloud.state.users.find(({ name }) => name === 'demo')?.id ?? '';
    const event = cluster.magnum.rotateCredential({ token, userId });
    const planned = await planAndDo('upgrade', event, { compare: 'paths' });
    expect(fates(planned)).toEqual({ 'default-master': 'none', 'default-worker': 'none' });
    expect(planned.cloud).toContainEqual(expect.objectContaining({ action: 'create', what: 'application credential' }));
    expect(JSON.stringify(planned)).not.toContain(token);
  });

  test('a new cluster', async () => {
    const planned = await planAndDo('create', await createEvent(stage().cloud), { compare: 'paths' });
    expect(fates(planned)).toEqual({ 'default-master': 'create', 'default-worker': 'create' });
    expect(planned.cloud.map(({ what }) => what).toSorted()).toEqual([
      'application credential',
      'server group',
      'server group',
    ]);
  });

  test('the end of a cluster', async () => {
    const planned = await planAndDo('delete', cluster.magnum.delete());
    expect(planned.objects.map(({ action, kind }) => `${action} ${kind}`)).toContain('delete Cluster');
    expect(fates(planned)).toEqual({ 'default-master': 'delete', 'default-worker': 'delete' });
    await expectDryRuns(sharedControlPlane().auditLogPath, 20);
  });
});

describe('of a cluster of an older class', () => {
  test('a plan of an upgrade says that Cluster API may replace what another class makes', async () => {
    const old = await runningCluster(stage());
    await moveToOldClass(stage(), old.name, ['kubeletTLSCipherSuites', 'nodeTaints']);
    // The class is changed already, and Cluster API at work on it.
    const planned = await planEvent(sharedControlPlane(), old.magnum.upgrade('v1.33.4'));
    expect(fates(planned)).toEqual({ 'default-master': 'may_replace', 'default-worker': 'may_replace' });
    const [change] = planned.objects.filter(({ kind }) => kind === 'Cluster');
    expect(change?.fields).toContainEqual({
      path: 'spec.topology.classRef.name',
      from: expect.stringContaining('magnum-old-'),
      to: expect.stringMatching(/^magnum-v/),
    });
  });
});

describe('a plan of what would be rejected', () => {
  test('names every fault, and no change', async () => {
    const other = await runningCluster(stage());
    const event = other.magnum.upgrade('v1.34.1', { image_id: 'lost' });
    const planned = await plan(event);
    expect(planned).toMatchObject({ outcome: 'rejected', objects: [], machines: [], cloud: [] });
    expect(planned.faults.map(({ code, field }) => [code, field])).toEqual([
      ['not_found', 'new_cluster_template.image_id'],
    ]);
    const answer = await stage().send(event);
    expect(Object(answer.data).faults).toEqual(planned.faults);
    await expect(plan({ ...event, data: { ...event.data, new_cluster_template: 1 } })).resolves.toMatchObject({
      outcome: 'rejected',
      faults: [{ field: 'new_cluster_template' }],
    });
  });
});
