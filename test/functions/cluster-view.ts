import * as z from 'zod';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';

const condition = z.object({
  type: z.string(),
  status: z.string(),
  /** CAPO's conditions that are True have none. */
  reason: z.string().default(''),
  message: z.string().default(''),
});

const object = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({ replicas: z.int().optional(), version: z.string().optional() }).default({}),
  status: z.looseObject({ conditions: z.array(condition).default([]) }).default({ conditions: [] }),
});
type ViewedObject = z.infer<typeof object>;

const list = z.object({ items: z.array(object) });

const kinds = [
  ['KubeadmControlPlane', '/apis/controlplane.cluster.x-k8s.io/v1beta2', 'kubeadmcontrolplanes'],
  ['MachineDeployment', '/apis/cluster.x-k8s.io/v1beta2', 'machinedeployments'],
  ['Machine', '/apis/cluster.x-k8s.io/v1beta2', 'machines'],
  ['OpenStackCluster', '/apis/infrastructure.cluster.x-k8s.io/v1beta1', 'openstackclusters'],
  ['OpenStackMachineTemplate', '/apis/infrastructure.cluster.x-k8s.io/v1beta1', 'openstackmachinetemplates'],
] as const;

/** The Cluster's conditions and the objects that Cluster API derived from it. */
export async function describeCluster(api: KubernetesApi, stackId: string): Promise<string> {
  const cluster = object.parse(await api.call('GET', clusterPath(stackId)));
  const lines = [`Cluster ${stackId}`, ...cluster.status.conditions.map(conditionLine)];
  for (const [kind, root, plural] of kinds) {
    const selector = encodeURIComponent(`cluster.x-k8s.io/cluster-name=${stackId}`);
    const path = `${root}/namespaces/${namespace}/${plural}?labelSelector=${selector}`;
    const { items } = list.parse(await api.call('GET', path));
    lines.push(...items.map((item) => objectLine(kind, item)));
  }
  return lines.join('\n');
}

function conditionLine({ type, status, reason, message }: z.infer<typeof condition>): string {
  const [firstLine = ''] = message.split('\n');
  return `  ${type.padEnd(28)} ${status.padEnd(8)} ${reason.padEnd(20)} ${firstLine}`.trimEnd();
}

function objectLine(kind: string, { metadata, spec }: ViewedObject): string {
  const replicas = spec.replicas === undefined ? '' : `  replicas ${spec.replicas}`;
  const version = spec.version === undefined ? '' : `  ${spec.version}`;
  return `${kind.padEnd(24)} ${metadata.name}${replicas}${version}`;
}

function clusterPath(stackId: string): string {
  return `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/clusters/${stackId}`;
}
