import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';

const { apiVersion, plural } = resources.kubeadmControlPlane;
const path = `/apis/${apiVersion}/namespaces/${namespace}/${plural}`;

const controlPlane = z.looseObject({
  metadata: z.looseObject({ name: z.string(), annotations: z.record(z.string(), z.string()).default({}) }),
  spec: z.looseObject({ version: z.string(), replicas: z.int() }),
  status: z.looseObject({}).default({}),
});
const list = z.object({ items: z.array(controlPlane) });

/**
 * Lets the control plane of a cluster look as if its machines were up, which they cannot be without a cloud: Cluster API
 * adds machine deployments only to such a one. Its real controller is paused, else it would say how things are.
 */
export async function simulateControlPlane(api: KubernetesApi, stackId: string): Promise<void> {
  const what = `the control plane of ${stackId} to be simulated`;
  await waitFor(async () => pause(api, await read(api, stackId)), { what });
  await waitFor(async () => writeStatus(api, await read(api, stackId)), { what });
}

type ControlPlane = z.infer<typeof controlPlane>;

async function read(api: KubernetesApi, stackId: string): Promise<ControlPlane> {
  const selector = encodeURIComponent(`${clusterNameLabel}=${stackId}`);
  const { items } = list.parse(await api.call('GET', `${path}?labelSelector=${selector}`));
  const [found] = items;
  if (found === undefined) throw new Error('there is no control plane yet');
  return found;
}

async function pause(api: KubernetesApi, current: ControlPlane): Promise<void> {
  const annotations = { ...current.metadata.annotations, 'cluster.x-k8s.io/paused': '' };
  const metadata = { ...current.metadata, annotations };
  await api.call('PUT', `${path}/${current.metadata.name}`, { ...current, metadata });
}

async function writeStatus(api: KubernetesApi, current: ControlPlane): Promise<void> {
  const { version, replicas } = current.spec;
  const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas, upToDateReplicas: replicas };
  const status = { ...current.status, version, ...counts };
  await api.call('PUT', `${path}/${current.metadata.name}/status`, { ...current, status });
}
