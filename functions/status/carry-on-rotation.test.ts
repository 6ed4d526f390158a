import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRecord, recordAnnotation } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { cloudConfigManifest } from '../../shared/render/addons/cloud-conf/cloud-config-manifest.ts';
import { findMountingWorkloads } from '../../shared/render/addons/cloud-conf/move-manifests.ts';
import {
  type CredentialReference,
  cloudConfigSecret,
  readCloudConfigRecord,
} from '../../shared/render/cloud-config.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { demoAccess, demoCredential } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { writeServiceCloud } from '../../test/functions/service-cloud-file.ts';
import { type StatusStage, startStatusStage } from './testing/status-stage.ts';

const stackId = 'kube-abcde';
const uuid = '3f0c6f0e-5a77-4c1b-9a35-6f5b0c0f9a01';
const setName = `${stackId}-cloud-provider`;

let cloud: SimulatedOpenStack;
let stage: StatusStage;
let directory: string;
let replaced: CredentialReference[];
let credential: ReturnType<typeof demoCredential>;

beforeEach(async () => {
  cloud = await startSimulatedOpenStack();
  directory = await mkdtemp(join(tmpdir(), 'magnum-rotation-'));
  const { OS_CLIENT_CONFIG_FILE: file = '' } = await writeServiceCloud(directory, cloud);
  stage = await startStatusStage({ serviceCloud: { file, name: 'default' } });
  const userId = cloud.state.users.find(({ name }) => name === 'demo')?.id ?? '';
  replaced = [1, 2].map(() => ({ id: demoCredential(cloud).id, userId }));
  credential = demoCredential(cloud);
  cloud.requests.length = 0;
  const record = openRecord({ id: 'rotate-1', time: '2026-01-01T00:00:00Z' }, 'cluster.credential.rotate', 60);
  const annotations = { [recordAnnotation(null)]: JSON.stringify(record) };
  stage.putCluster({ stackId, uuid, isReady: true, annotations });
  putCloudConfig();
});
afterEach(async () => {
  await stage.stop();
  await cloud.stop();
  await rm(directory, { recursive: true, force: true });
});

function putCloudConfig(): void {
  const owner = { uuid, projectId: 'project-1', userId: 'user-1', serverGroups: {} };
  const rotation = { eventId: 'rotate-1', replaced };
  const secret = cloudConfigSecret({
    stackId,
    credential: demoAccess(cloud, credential),
    record: { ...owner, rotation },
  });
  stage.store.put(resources.secret, secret);
}

const ids = () => cloud.state.applicationCredentials.map(({ id }) => id);
const cloudConfig = () => readCloudConfigRecord(stage.store.find(resources.secret, `${stackId}-cloud-config`));

/** The report after an event of the Cluster. */
async function looked(): Promise<unknown> {
  const data = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: stackId, namespace };
  return (await stage.handle({ type: 'dev.knative.apiserver.ref.update', data })).reply?.data;
}

/** A resource set that brings the Secret and a workload which mounts it. */
function putAddons(credentialId = credential.id): void {
  const cloudConf = `[Global]\napplication-credential-id=${credentialId}\n`;
  const volumes = [{ name: 'config', secret: { secretName: 'cloud-config' } }];
  const workload = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'driver', namespace: 'kube-system' },
    spec: { template: { spec: { volumes } } },
  };
  putFiles({ 'a.yaml': dump(workload), 'b.yaml': dump(cloudConfigManifest({ cloudConf, caCertificate: '' })) });
  const spec = { strategy: 'Reconcile', resources: [{ kind: 'Secret', name: setName }] };
  stage.store.put(resources.clusterResourceSet, { metadata: { name: setName, namespace }, spec });
}

function putFiles(files: Readonly<Record<string, string>>): void {
  const encoded = Object.entries(files).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  stage.store.put(resources.secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: setName, namespace },
    data: Object.fromEntries(encoded),
  });
}

function files(): Record<string, string> {
  const { data } = Object(stage.store.find(resources.secret, setName)) as { data: Record<string, string> };
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
}

/** As Cluster API says that it has applied the set as it is now. */
function apply(changes: object = {}): void {
  const { 'a.yaml': one, 'b.yaml': two } = files();
  const hash = `sha256:${createHash('sha256').update(`${one}${two}`).digest('hex')}`;
  const applied = { kind: 'Secret', name: setName, applied: true, hash, ...changes };
  const bindings = [{ clusterResourceSetName: setName, resources: [applied] }];
  stage.store.put(resources.clusterResourceSetBinding, { metadata: { name: stackId, namespace }, spec: { bindings } });
}

describe('a rotation', () => {
  test('of a cluster without add-ons deletes what was replaced, and is complete', async () => {
    expect(await looked()).toMatchObject({ action: 'UPDATE', state: 'COMPLETE', status_reason: null });
    expect(ids()).toEqual([credential.id]);
    expect(cloudConfig()).toMatchObject({ replacedCredentials: [], applicationCredentialId: credential.id });
  });

  test.each<[string, () => void, string]>([
    ['before its add-ons have it', () => putAddons('c0ffee'), 'has to be sent again'],
    ['before its add-ons are applied', () => putAddons(), `applied to the cluster yet: ${setName}`],
    ['whose add-ons could not be applied', () => [putAddons(), apply({ applied: false })], 'not applied'],
    ['whose add-ons are applied as they were before', () => [putAddons(), apply({ hash: 'sha256:0' })], 'not applied'],
  ])('%s waits, and asks nobody in the cloud', async (_when, prepare, reason) => {
    prepare();
    const before = files();
    for (const _ of [1, 2, 3]) {
      expect(await looked()).toMatchObject({ state: 'IN_PROGRESS', status_reason: expect.stringContaining(reason) });
    }
    expect([files(), ids().length, cloud.requests]).toEqual([before, 3, []]);
  });

  test('restarts the workloads once the add-ons are applied, and not again', async () => {
    putAddons();
    apply();
    expect(await looked()).toMatchObject({ state: 'IN_PROGRESS' });
    const [workload] = findMountingWorkloads(files());
    expect(workload?.hash).toMatch(/^[0-9a-f]{64}$/);
    const restarted = files();
    for (const _ of [1, 2]) {
      expect(await looked()).toMatchObject({ status_reason: expect.stringContaining('not applied') });
    }
    apply();
    expect(await looked()).toMatchObject({ status_reason: expect.stringContaining('cannot be asked') });
    expect([files(), ids().length, cloud.requests]).toEqual([restarted, 3, []]);
  });

  test('of a cluster that cannot be asked ends at the deadline', async () => {
    putAddons();
    apply();
    await looked();
    apply();
    stage.now = new Date('2026-01-01T00:59:00Z');
    expect(await looked()).toMatchObject({ state: 'IN_PROGRESS' });
    expect(ids()).toHaveLength(3);
    stage.now = new Date('2026-01-01T01:01:00Z');
    expect(await looked()).toMatchObject({ state: 'COMPLETE' });
    expect(ids()).toEqual([credential.id]);
  });

  test('whose add-ons were never applied fails at the deadline, and deletes nothing', async () => {
    putAddons();
    stage.now = new Date('2026-01-01T01:01:00Z');
    expect(await looked()).toMatchObject({ action: 'UPDATE', state: 'FAILED' });
    expect(ids()).toHaveLength(3);
  });

  test('deletes what was replaced although machines are missing', async () => {
    stage.putCluster({
      stackId,
      uuid,
      isReady: false,
      annotations: stage.store.find(resources.cluster, stackId)?.metadata.annotations ?? {},
    });
    expect(await looked()).toMatchObject({ state: 'IN_PROGRESS' });
    expect(ids()).toEqual([credential.id]);
    const asked = cloud.requests.length;
    await looked();
    expect(cloud.requests).toHaveLength(asked);
  });

  test('whose Secret is gone waits', async () => {
    stage.store.remove(resources.secret, `${stackId}-cloud-config`);
    expect(await looked()).toMatchObject({ state: 'IN_PROGRESS', status_reason: expect.stringContaining('is gone') });
  });
});

describe('the replaced credentials', () => {
  test('stay while Keystone does not accept the new one', async () => {
    cloud.state.applicationCredentials = cloud.state.applicationCredentials.filter(({ id }) => id !== credential.id);
    expect(await looked()).toMatchObject({
      state: 'IN_PROGRESS',
      status_reason: expect.stringContaining('The new credential is not accepted'),
    });
    expect(ids()).toHaveLength(2);
  });

  test('that may not be deleted stay recorded, and end the rotation', async () => {
    cloud.faults.inject({ service: 'identity', method: 'DELETE', status: 403 });
    expect(await looked()).toMatchObject({ state: 'COMPLETE' });
    expect(cloudConfig()?.replacedCredentials).toEqual(replaced.slice(0, 1));
    expect(ids()).toEqual([replaced[0]?.id, credential.id]);
    expect(stage.log).toContainEqual(
      expect.objectContaining({ told: expect.stringContaining(replaced[0]?.id ?? ''), stack_id: stackId }),
    );
  });

  test('that cannot be deleted just now keep the rotation open', async () => {
    cloud.faults.inject({ service: 'identity', method: 'DELETE', status: 501 });
    expect(await looked()).toMatchObject({
      state: 'IN_PROGRESS',
      status_reason: expect.stringContaining('cannot be deleted'),
    });
    expect(await looked()).toMatchObject({ state: 'COMPLETE' });
    expect(ids()).toEqual([credential.id]);
  });

  test('are deleted again where the record of it could not be written', async () => {
    let isBroken = true;
    stage.store.intercept = async (call) => {
      return isBroken && call.startsWith('PATCH') && call.endsWith('-cloud-config') ? 409 : undefined;
    };
    expect(await looked()).toMatchObject({ state: 'IN_PROGRESS' });
    isBroken = false;
    expect(await looked()).toMatchObject({ state: 'COMPLETE' });
    expect(cloudConfig()?.replacedCredentials).toEqual([]);
  });
});

test('a rotation that came in between keeps what it has replaced', async () => {
  const [next] = [demoCredential(cloud)];
  stage.store.intercept = async (call) => {
    // Between the look and the Lease.
    if (call.startsWith('POST') && call.includes('/leases') && credential !== next) {
      replaced = [...replaced, { id: credential.id, userId: replaced[0]?.userId ?? '' }];
      credential = next;
      putCloudConfig();
    }
    return undefined;
  };
  expect(await looked()).toMatchObject({ state: 'IN_PROGRESS', status_reason: expect.stringContaining('once more') });
  expect(ids()).toHaveLength(4);
});
