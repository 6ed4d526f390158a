import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { deleteAddons, findAddons } from '../../shared/kubernetes/addon-objects.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { cloudStageOfFile } from '../cloud/cloud-stage.ts';
import { startKeystoneCloud } from '../cloud/keystone/keystone-cloud.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';
import type { CreatedCluster } from '../functions/created-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { createOriginalAddons } from '../upgrade/original-addons.ts';
import {
  cloudConfigOf,
  colleague,
  credentialsOf,
  expectOneCredential,
  machineParts,
  ownedCluster,
  owner,
  rotationBy,
  statusAsked,
} from '../upgrade/rotation-stage.ts';

// A real Keystone: it takes the credentials of a user away with the user.
const stage = cloudStageOfFile(startKeystoneCloud);

const patience = 240_000;
const version = 'v1.33.4';
const workloads = [
  'deployments/csi-cinder-controllerplugin',
  'daemonsets/csi-cinder-nodeplugin',
  'daemonsets/openstack-cloud-controller-manager',
];

let cluster: CreatedCluster;
let workload: KubernetesApi;

beforeAll(async () => {
  cluster = await ownedCluster(stage(), { labels: { kube_tag: version }, workers: { node_count: 1 } });
  await stage().settled(cluster.stackId, { masters: 1, workers: 1, version }, patience);
  const access = stage().capo.workloadCluster(cluster.stackId)?.access;
  if (access === undefined) throw new Error('The cluster has an API.');
  workload = connectApi(access);
  await removeAddons(cluster.stackId);
  const credential = await cloudConfigOf(stage(), cluster.stackId);
  await createOriginalAddons(stage(), { stackId: cluster.stackId, uuid: cluster.magnum.uuid, credential });
  for (const path of workloads) await waitFor(() => read(path), { what: path, timeout: 60_000 });
}, 600_000);
afterAll(() => workload?.close());

const manifest = z.looseObject({
  metadata: z.looseObject({ uid: z.string(), generation: z.int().default(0) }),
  spec: z
    .looseObject({
      template: z.looseObject({
        metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).default({}) }),
        spec: z.looseObject({}),
      }),
    })
    .optional(),
  data: z.record(z.string(), z.string()).default({}),
});

async function read(path: string) {
  const root = path.startsWith('secrets/') ? '/api/v1' : '/apis/apps/v1';
  return manifest.parse(await workload.call('GET', `${root}/namespaces/kube-system/${path}`));
}

/** Those of the functions; only the cloud controller manager has the name that the original gives it. */
async function removeAddons(stackId: string): Promise<void> {
  const { kubernetes } = stage();
  const path = 'daemonsets/openstack-cloud-controller-manager';
  await waitFor(() => read(path), { what: path, timeout: 120_000 });
  await deleteAddons(kubernetes, { live: await findAddons(kubernetes, stackId), proceed: () => undefined });
  await workload.call('DELETE', `/apis/apps/v1/namespaces/kube-system/${path}`);
}

async function workloadCredential(): Promise<string> {
  const { data } = await read('secrets/cloud-config');
  return Buffer.from(data['cloud.conf'] ?? '', 'base64').toString('utf8');
}

/** What the controllers of the workload report once all pods are new. */
async function rollOut(path: string): Promise<void> {
  const { generation: observedGeneration } = (await read(path)).metadata;
  const counts = path.startsWith('daemonsets/')
    ? {
        currentNumberScheduled: 1,
        desiredNumberScheduled: 1,
        numberMisscheduled: 0,
        numberReady: 1,
        updatedNumberScheduled: 1,
      }
    : { replicas: 1, updatedReplicas: 1 };
  await workload.call('PATCH', `/apis/apps/v1/namespaces/kube-system/${path}/status`, {
    status: { observedGeneration, ...counts },
  });
}

/** Asks for the status until its reason tells something. */
async function told(words: string): Promise<void> {
  await waitFor(
    async () => {
      const report = JSON.stringify(await statusAsked(stage(), cluster));
      if (!report.includes(words)) throw new Error(report);
    },
    { what: words, timeout: 60_000 },
  );
}

describe('a cluster with the add-ons of the original driver', () => {
  test('moves to a new credential before the old one goes, and no machine is rebuilt', async () => {
    const { id: old } = await cloudConfigOf(stage(), cluster.stackId);
    const parts = await machineParts(stage(), cluster.stackId);
    const before = await Promise.all(workloads.map(read));
    const user = await colleague(stage().cloud, 'colleague');
    acceptedStackId(await stage().send(await rotationBy(stage().cloud, cluster, user)));
    const { id } = await cloudConfigOf(stage(), cluster.stackId);

    await told('has not restarted all its pods yet');
    expect(await workloadCredential()).toContain(`application-credential-id=${id}\n`);
    expect(await workloadCredential()).toContain('[LoadBalancer]\nlb-provider=amphorav2\n');
    const manila = (await read('secrets/csi-manila-secrets')).data;
    expect(Buffer.from(manila['os-applicationCredentialID'] ?? '', 'base64').toString()).toBe(id);
    const after = await Promise.all(workloads.map(read));
    for (const [index, { metadata, spec }] of after.entries()) {
      expect(metadata.uid).toBe(before[index]?.metadata.uid);
      expect(Object.keys(spec?.template.metadata.annotations ?? {})).toEqual([
        'magnum.openstack.org/cloud-config-hash',
      ]);
      expect(spec?.template.spec).toEqual(before[index]?.spec?.template.spec);
    }
    expect((await credentialsOf(stage().cloud, cluster.magnum.uuid)).toSorted()).toEqual([old, id].toSorted());

    for (const path of workloads.slice(1)) await rollOut(path);
    await told('csi-cinder-controllerplugin');
    expect(await credentialsOf(stage().cloud, cluster.magnum.uuid)).toHaveLength(2);
    await rollOut(workloads[0] ?? '');
    await waitFor(async () => expect(await statusAsked(stage(), cluster)).toMatchObject({ state: 'COMPLETE' }), {
      what: 'the end of the rotation',
      timeout: 60_000,
    });
    await expectOneCredential(stage(), cluster);
    expect(await machineParts(stage(), cluster.stackId)).toEqual(parts);
  });

  test('whose owner has left works again once somebody else rotates its credential', async () => {
    const { record, id: dead } = await cloudConfigOf(stage(), cluster.stackId);
    await stage().cloud.identity.removeUser(record.userId);
    const user = owner(stage().cloud);
    acceptedStackId(await stage().send(await rotationBy(stage().cloud, cluster, user)));
    await told('has not restarted all its pods yet');
    for (const path of workloads) await rollOut(path);
    await waitFor(async () => expect(await statusAsked(stage(), cluster)).toMatchObject({ state: 'COMPLETE' }), {
      what: 'the end of the rotation',
      timeout: 60_000,
    });
    expect((await cloudConfigOf(stage(), cluster.stackId)).id).not.toBe(dead);
    await expectOneCredential(stage(), cluster);

    acceptedStackId(await stage().send(cluster.magnum.resize('default-worker', 2)));
    await stage().settled(cluster.stackId, { masters: 1, workers: 2, version }, patience);
  });

  test('leaves no credential when it is deleted in the middle of a rotation', async () => {
    acceptedStackId(await stage().send(await rotationBy(stage().cloud, cluster)));
    expect(await credentialsOf(stage().cloud, cluster.magnum.uuid)).toHaveLength(2);
    acceptedStackId(await stage().send(cluster.magnum.delete()));
    await waitFor(
      async () => {
        await statusAsked(stage(), cluster);
        const name = `${cluster.stackId}-cloud-config`;
        const left = await stage().kubernetes.find(resources.secret, { namespace, name });
        if (left !== undefined) throw new Error('the Secret is still there');
      },
      { what: 'the end of the cluster', timeout: patience },
    );
    expect(await credentialsOf(stage().cloud, cluster.magnum.uuid)).toEqual([]);
  });
});
