import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAddons } from '../../shared/kubernetes/addon-objects.ts';
import { filesOf } from '../../shared/kubernetes/addon-sets.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { covers } from '../../shared/kubernetes/covers.ts';
import { manifestReference, manifestType } from '../../shared/kubernetes/manifest-type.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { workloadConnection } from '../../shared/kubernetes/workload-connection.ts';
import { readDocuments } from '../../shared/render/addons/cloud-conf/manifest-files.ts';
import { type ManifestIdentity, manifestIdentity } from '../../shared/render/addons/manifest-identity.ts';
import { base64 } from '../../shared/render/base64.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { waitFor } from '../env/wait-for.ts';
import { createEvent } from '../functions/create-event.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { waitForEnd } from '../system/operation-end.ts';
import { systemOfFile } from '../system/system-of-file.ts';

const system = systemOfFile();

/** Milliseconds that the real managers get on a busy machine. */
const patience = 240_000;
const [before, after] = ['v1.33.4', 'v1.34.1'];
const addonNames = ['calico', 'cinder-csi', 'cloud-controller-manager', 'keystone-auth', 'manila-csi', 'nfs-csi'];

let magnum: MagnumCluster;
let stackId = '';
let workload: KubernetesClient;

beforeAll(async () => {
  const labels = { kube_tag: before, manila_csi_share_network_id: 'a-share-network' };
  magnum = new MagnumCluster(await createEvent(system().cloud, { workers: { node_count: 1 }, labels }));
});
afterAll(() => workload?.close());

/** All manifests of the Secrets in the management cluster. */
async function manifestsOf(stack: string) {
  const { secrets } = await findAddons(system().kubernetes, stack);
  return secrets.flatMap((secret) => Object.values(filesOf(secret)).flatMap(readDocuments));
}

/** Objects that the workload cluster has not as their manifests say. */
async function differing(client: KubernetesClient, stack: string): Promise<string[]> {
  const found = await Promise.all(
    (await manifestsOf(stack)).map(async (manifest) => {
      const identity = manifestIdentity(manifest);
      if (identity === null) return [`no manifest: ${JSON.stringify(manifest).slice(0, 80)}`];
      const live = await client.find(manifestType(identity), manifestReference(identity));
      return covers(live, manifest) ? [] : [`${identity.kind} ${identity.name}`];
    }),
  );
  return found.flat();
}

async function imagesOf(name: string): Promise<string[]> {
  const { spec } = await workload.get(resources.daemonSet, { namespace: 'kube-system', name });
  return spec?.template.spec?.containers.map(({ image }) => image ?? '') ?? [];
}

describe('a new cluster', () => {
  test('is complete when its add-ons are applied, and tells which are not yet', async () => {
    stackId = await system().operate(magnum.creation);
    const text = await addToSecret({ ...droppedConfigMap, namespace: 'not-there' });
    const matches = ({ state, status_reason }: StatusReport) =>
      state === 'IN_PROGRESS' && /add-ons of the cluster are not applied: cinder-csi missing/.test(status_reason ?? '');
    await system().reports.status(stackId, { what: 'an add-on that is missing', matches, timeout: patience });
    await writeSecret(text);
    await waitForEnd(system(), { stackId, events: [magnum.creation], timeout: patience });
    magnum.created(stackId);
    workload = createKubernetesClient(await workloadConnection(system().kubernetes, stackId));
  });

  test('has one Secret an add-on, and every object of each', async () => {
    const { secrets } = await findAddons(system().kubernetes, stackId);
    expect(secrets.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      addonNames.map((name) => `${stackId}-${name}`),
    );
    expect((await manifestsOf(stackId)).length).toBeGreaterThan(80);
    expect(await differing(workload, stackId)).toEqual([]);
  });

  test('has pods that read the cloud.conf which is there', async () => {
    const secret = await workload.get(resources.secret, { namespace: 'kube-system', name: 'cloud-config' });
    const text = Buffer.from(secret.data?.['cloud.conf'] ?? '', 'base64').toString('utf8');
    const [credential] = system().cloud.state.applicationCredentials;
    expect(text).toContain(`application-credential-id=${credential?.id}\n`);
    expect(text).toContain('lb-provider=amphorav2\n');
  });
});

test('a new cluster with Cilium and Hubble has every object too', async () => {
  const labels = { kube_tag: after, cilium_hubble_ui_enabled: 'true' };
  const template = { network_driver: 'cilium' };
  const event = await createEvent(system().cloud, {
    workers: { node_count: 1 },
    cluster_template: template,
    labels,
  });
  const stack = await system().operate(event);
  await waitForEnd(system(), { stackId: stack, events: [event], timeout: patience });
  const client = createKubernetesClient(await workloadConnection(system().kubernetes, stack));
  expect(await differing(client, stack)).toEqual([]);
  client.close();
  const names = (await manifestsOf(stack)).map((manifest) => manifestIdentity(manifest)?.name);
  expect(names).toEqual(expect.arrayContaining(['cilium', 'cilium-operator', 'hubble-relay', 'hubble-ui']));
});

/** As an older release may have left them: what cannot be changed differs, and one thing nobody brings any more. */
async function leaveOldObjects(): Promise<void> {
  const classes = manifestType({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', name: '', namespace: null });
  const ssd = await workload.get(classes, { name: 'block-ssd' });
  await workload.delete(classes, { name: 'block-ssd' });
  const { metadata, ...fields } = ssd;
  await workload.create(classes, {
    ...fields,
    ...{ volumeBindingMode: 'Immediate', parameters: { type: 'ssd', fstype: 'xfs' } },
    metadata: { name: 'block-ssd', annotations: metadata?.annotations ?? {} },
  });
  const controller = { namespace: 'kube-system', name: 'openstack-cloud-controller-manager' };
  const daemonSet = await workload.get(resources.daemonSet, controller);
  await workload.delete(resources.daemonSet, controller);
  const labels = { 'k8s-app': 'of-an-older-release' };
  const template = { ...daemonSet.spec?.template, metadata: { labels } };
  await workload.create(resources.daemonSet, {
    metadata: controller,
    spec: { ...daemonSet.spec, selector: { matchLabels: labels }, template },
  });
  await addToSecret(droppedConfigMap);
  const isThere = async () => {
    await workload.get(manifestType(droppedConfigMap), manifestReference(droppedConfigMap));
  };
  await waitFor(isThere, { what: 'what the older release brought', timeout: patience });
}

const droppedConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'of-an-older-release',
  namespace: 'kube-system',
} as const;

/** Adds an object to what an add-on brings; gives the text that was there before. */
async function addToSecret({ apiVersion, kind, ...metadata }: ManifestIdentity): Promise<string> {
  const secret = await system().kubernetes.get(resources.secret, { namespace, name: `${stackId}-cinder-csi` });
  const text = Buffer.from(secret.data?.['manifests.yaml'] ?? '', 'base64').toString('utf8');
  await writeSecret(`${text}\n---\n${JSON.stringify({ apiVersion, kind, metadata })}`);
  return text;
}

async function writeSecret(text: string): Promise<void> {
  const operations = [{ op: 'replace', path: '/data/manifests.yaml', value: base64(text) }] as const;
  await system().kubernetes.patch(resources.secret, { namespace, name: `${stackId}-cinder-csi` }, { operations });
}

describe('an upgrade', () => {
  test('brings the add-ons of the new version, over whatever stands in their way', async () => {
    expect(await imagesOf('openstack-cloud-controller-manager')).toEqual([expect.stringContaining(':v1.33.')]);
    await leaveOldObjects();
    const event = magnum.upgrade(after);
    await system().operate(event);
    await waitForEnd(system(), { stackId, events: [event], timeout: patience });
    const matches = ({ action, state }: StatusReport) => action === 'UPDATE' && state === 'COMPLETE';
    await system().reports.status(stackId, { what: 'UPDATE_COMPLETE', matches, timeout: patience });
    expect(await differing(workload, stackId)).toEqual([]);
    expect(await imagesOf('openstack-cloud-controller-manager')).toEqual([expect.stringContaining(':v1.34.')]);
    expect(await workload.find(manifestType(droppedConfigMap), manifestReference(droppedConfigMap))).toBeUndefined();
  });
});
