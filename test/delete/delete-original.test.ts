import { expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { type CreatedCluster, createCluster } from '../functions/created-cluster.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { expectNothingLeft } from '../functions/traces.ts';
import { untilDeleted } from './deleted-cluster.ts';

const stage = stageOfFile();

/** Makes a cluster look as the original driver leaves one: nothing is recorded, and its add-ons have their own names. */
async function likeTheOriginal({ uuid, stackId }: CreatedCluster): Promise<void> {
  const { kubernetes } = stage();
  const operations = [{ op: 'remove', path: '/metadata/annotations' }] as const;
  await kubernetes.patch(resources.secret, { namespace, name: `${stackId}-cloud-config` }, { operations });
  for (const name of [uuid, `${stackId}-cloud-provider`]) {
    const { apiVersion, kind } = resources.clusterResourceSet;
    const type = 'addons.cluster.x-k8s.io/resource-set';
    await kubernetes.create(resources.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      type,
    });
    const clusterSelector = { matchLabels: { 'cluster-uuid': uuid } };
    const spec = { clusterSelector, resources: [{ kind: 'Secret', name }], strategy: 'Reconcile' };
    await kubernetes.create(resources.clusterResourceSet, { apiVersion, kind, metadata: { name, namespace }, spec });
  }
  await writeHelmRelease(stackId);
}

/** What helm leaves of an autoscaler beside its Deployment. */
async function writeHelmRelease(stackId: string): Promise<void> {
  const { kubernetes } = stage();
  const name = `sh.helm.release.v1.${stackId}.v1`;
  const metadata = { name, namespace, labels: { owner: 'helm', name: stackId } };
  await kubernetes.create(resources.secret, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'helm.sh/release.v1' });
  const own = { name: `${stackId}-autoscaler`, namespace };
  const selector = { matchLabels: { app: own.name } };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: own.name };
  const objects = [
    [resources.serviceAccount, {}],
    [resources.role, { rules: [] }],
    [resources.roleBinding, { roleRef }],
    [resources.service, { spec: { ports: [{ port: 8085 }], selector: selector.matchLabels } }],
    [resources.podDisruptionBudget, { spec: { maxUnavailable: 1, selector } }],
  ] as const;
  for (const [type, content] of objects) {
    const { apiVersion, kind } = type;
    await kubernetes.create(type, { apiVersion, kind, metadata: own, ...content });
  }
}

test('a cluster of the original driver is deleted with all that it has', { timeout: 240_000 }, async () => {
  const cluster = await createCluster(stage());
  await likeTheOriginal(cluster);
  expect((await stage().send(cluster.magnum.delete())).data).toMatchObject({ stack_id: cluster.stackId, notes: [] });
  expect(await untilDeleted(stage(), cluster.magnum)).toMatchObject({ status_reason: null });
  await expectNothingLeft(stage(), cluster);
});
