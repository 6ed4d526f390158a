import { type CapoContext, isPaused, ownerCluster } from './capo-context.ts';
import { projectOf } from './cloud-identity.ts';
import { deleteCluster } from './cluster-deletion.ts';
import { type ClusterWork, mark, statusOf } from './cluster-draft.ts';
import { reconcileEndpoint, resolveLoadBalancerNetwork } from './cluster-endpoint.ts';
import { reconcileExternalNetwork, reconcileNetwork, reconcileSecurityGroups } from './cluster-network.ts';
import { trueCondition } from './condition.ts';
import { addFinalizer, isReleased, saveDraft } from './object-draft.ts';

const finalizer = 'openstackcluster.infrastructure.cluster.x-k8s.io';

/** controllers/openstackcluster_controller.go; the result is when to look again, in ms. */
export async function reconcileOpenStackCluster(context: CapoContext, key: string): Promise<number | undefined> {
  const store = context.stores.openStackCluster;
  const before = store.get(key);
  if (before === undefined || isReleased(before, finalizer)) return undefined;
  const cluster = ownerCluster(context, before);
  if (cluster === undefined || isPaused(cluster, before)) return undefined;
  const { namespace } = before.metadata;
  const projectId = await projectOf(context.api, context.identity, { namespace, identityRef: before.spec.identityRef });
  const draft = structuredClone(before);
  const work: ClusterWork = { context, cluster, draft, projectId };
  try {
    if (draft.metadata.deletionTimestamp !== undefined) return await deleteCluster(work, finalizer);
    await reconcileNormal(work);
    return undefined;
  } finally {
    await saveDraft(context, store, { before, draft });
  }
}

async function reconcileNormal(work: ClusterWork): Promise<void> {
  const { draft } = work;
  // The finalizer is written before anything is made in OpenStack.
  if (addFinalizer(draft, finalizer)) return;
  reconcileExternalNetwork(work);
  reconcileNetwork(work);
  resolveLoadBalancerNetwork(work);
  reconcileSecurityGroups(work);
  await reconcileEndpoint(work);
  const status = statusOf(draft);
  status.failureDomains = failureDomains(work);
  status.ready = true;
  delete status.failureMessage;
  delete status.failureReason;
  status.initialization = { provisioned: true };
  mark(draft, trueCondition('Ready'));
}

function failureDomains({ context, draft }: ClusterWork): Record<string, { controlPlane: boolean }> {
  const { controlPlaneAvailabilityZones: chosen = [], controlPlaneOmitAvailabilityZone: omits = false } = draft.spec;
  const zones = context.state.availabilityZones.filter(({ available }) => available);
  return Object.fromEntries(
    zones.map(({ name }) => [name, { controlPlane: chosen.length > 0 ? chosen.includes(name) : !omits }]),
  );
}
