import * as z from 'zod';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';

const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string(),
  message: z.string().default(''),
  observedGeneration: z.int().default(0),
});

const object = z.looseObject({
  metadata: z.looseObject({ name: z.string(), generation: z.int().default(1) }),
  status: z.looseObject({ conditions: z.array(condition).default([]) }).default({ conditions: [] }),
});

const list = z.object({ items: z.array(object) });

const kinds = [
  ['KubeadmControlPlane', '/apis/controlplane.cluster.x-k8s.io/v1beta2', 'kubeadmcontrolplanes'],
  ['MachineDeployment', '/apis/cluster.x-k8s.io/v1beta2', 'machinedeployments'],
  ['OpenStackCluster', '/apis/infrastructure.cluster.x-k8s.io/v1beta1', 'openstackclusters'],
  ['OpenStackMachineTemplate', '/apis/infrastructure.cluster.x-k8s.io/v1beta1', 'openstackmachinetemplates'],
] as const;

/** Milliseconds; reconciling takes a second of two cores, so that of many clusters takes a while. */
const topologyTimeout = 240_000;

/** @throws Error that tells the last state of the condition where it does not become true in time */
export async function waitForTopology(api: KubernetesApi, stackId: string): Promise<void> {
  const probe = async () => {
    const { metadata, status } = object.parse(await api.call('GET', clusterPath(stackId)));
    const found = status.conditions.find(({ type }) => type === 'TopologyReconciled');
    if (found?.status !== 'True' || found.observedGeneration < metadata.generation)
      throw new Error(`it is ${found?.status}, ${found?.reason}: ${found?.message}`);
  };
  await waitFor(probe, { what: `TopologyReconciled of ${stackId}`, timeout: topologyTimeout });
}

/** The Cluster's conditions and the objects that Cluster API derived from it. */
export async function describeCluster(api: KubernetesApi, stackId: string): Promise<string> {
  const { status } = object.parse(await api.call('GET', clusterPath(stackId)));
  const lines = [`Cluster ${stackId}`];
  for (const { type, status: value, reason } of status.conditions) {
    lines.push(`  ${type.padEnd(28)} ${value.padEnd(8)} ${reason}`);
  }
  for (const [kind, root, plural] of kinds) {
    const selector = encodeURIComponent(`cluster.x-k8s.io/cluster-name=${stackId}`);
    const { items } = list.parse(
      await api.call('GET', `${root}/namespaces/${namespace}/${plural}?labelSelector=${selector}`),
    );
    lines.push(...items.map(({ metadata }) => `${kind} ${metadata.name}`));
  }
  return lines.join('\n');
}

function clusterPath(stackId: string): string {
  return `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/clusters/${stackId}`;
}
