import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';
import type { CreateStage } from './create-stage.ts';
import { objectsOf } from './live-objects.ts';

const path = `/apis/${resources.kubeadmControlPlane.apiVersion}/namespaces/${namespace}/${resources.kubeadmControlPlane.plural}`;

/**
 * Lets the control plane of a cluster look as if its machines were up, which they cannot be without a cloud: Cluster API
 * adds machine deployments only to such a one. Its real controller is paused, else it would say how things are.
 */
export async function simulateControlPlane(stage: CreateStage, stackId: string): Promise<void> {
  const [controlPlane] = await objectsOf(stage.kubernetes, resources.kubeadmControlPlane, stackId);
  const name = controlPlane?.metadata?.name ?? '';
  const operations = [{ op: 'add', path: '/metadata/annotations/cluster.x-k8s.io~1paused', value: '' }] as const;
  await stage.kubernetes.patch(resources.kubeadmControlPlane, { namespace, name }, { operations });
  const writeStatus = async () => {
    const current = await stage.kubernetes.get(resources.kubeadmControlPlane, { namespace, name });
    const { version, replicas } = current.spec as { version: string; replicas: number };
    const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas, upToDateReplicas: replicas };
    const status = { ...(current.status as object), version, ...counts };
    await stage.api.call('PUT', `${path}/${name}/status`, { ...current, status });
  };
  await waitFor(writeStatus, { what: `the status of ${name} to be written` });
}
