import { randomUUID } from 'node:crypto';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { FunctionStage } from '../functions/function-stage.ts';

const openStackServers = `/apis/${resources.openStackServer.apiVersion}/namespaces/${namespace}/openstackservers`;

export interface HandMadeMachine {
  readonly name: string;
  /** Of its server in Nova. */
  readonly serverId: string;
}

interface MachineOptions {
  readonly stackId: string;
  /** null for a master. */
  readonly nodegroup: string | null;
  /** Nova has the server, but it is not active yet: the id stands on the OpenStackServer only. @default false */
  readonly isBuilding?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A Machine as Cluster API and CAPO make it; nothing acts on it here, since there is no cloud behind it. */
export async function makeMachine(stage: FunctionStage, options: MachineOptions): Promise<HandMadeMachine> {
  const { stackId, nodegroup, isBuilding = false, annotations } = options;
  const serverId = randomUUID();
  const name = `${stackId}-${nodegroup ?? 'masters'}-${serverId.slice(0, 5)}`;
  const infrastructureName = `${name}-server`;
  const role =
    nodegroup === null
      ? { 'cluster.x-k8s.io/control-plane': '' }
      : { 'topology.cluster.x-k8s.io/deployment-name': nodegroup };
  const labels = { 'cluster.x-k8s.io/cluster-name': stackId, ...role };
  const { apiVersion, kind } = resources.machine;
  await stage.kubernetes.create(resources.machine, {
    apiVersion,
    kind,
    metadata: { name, namespace, labels, ...(annotations && { annotations }) },
    spec: {
      clusterName: stackId,
      version: 'v1.33.4',
      bootstrap: { dataSecretName: `${name}-bootstrap` },
      infrastructureRef: {
        apiGroup: 'infrastructure.cluster.x-k8s.io',
        kind: 'OpenStackMachine',
        name: infrastructureName,
      },
      ...(isBuilding ? {} : { providerID: `openstack://RegionOne/${serverId}` }),
    },
  });
  if (isBuilding) await makeServer(stage, { name: infrastructureName, stackId, serverId });
  return { name, serverId };
}

interface Server {
  readonly name: string;
  readonly stackId: string;
  readonly serverId: string;
}

async function makeServer({ api }: FunctionStage, { name, stackId, serverId }: Server): Promise<void> {
  const { apiVersion, kind } = resources.openStackServer;
  const created = await api.call('POST', openStackServers, {
    apiVersion,
    kind,
    metadata: { name, namespace, labels: { 'cluster.x-k8s.io/cluster-name': stackId } },
    spec: {
      flavor: 'm1.medium',
      image: { id: randomUUID() },
      identityRef: { name: `${stackId}-cloud-config`, cloudName: 'default' },
      ports: [],
      sshKeyName: 'mykey',
    },
  });
  const status = { ready: false, instanceID: serverId, instanceState: 'BUILD' };
  await api.call('PUT', `${openStackServers}/${name}/status`, { ...Object(created), status });
}

/** What the deletion mark of a Machine says; undefined where it has none. */
export async function markOf({ kubernetes }: FunctionStage, { name }: HandMadeMachine): Promise<string | undefined> {
  const { metadata } = await kubernetes.get(resources.machine, { namespace, name });
  return metadata?.annotations?.['cluster.x-k8s.io/delete-machine'];
}
