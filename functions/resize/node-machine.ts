import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { readCloudObject } from '../../shared/status/views/cloud-object.ts';
import { partAt, textAt, textsAt } from '../../shared/status/views/json-part.ts';
import { readMachine } from '../../shared/status/views/machine-view.ts';

/** Cluster API takes a Machine that bears it before others when it scales down, masters too; its value says nothing to it. */
export const deletionMark = 'cluster.x-k8s.io/delete-machine';

/** What a resize reads of a Machine. */
export interface NodeMachine {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly nodegroup: string | null;
  readonly isDeleting: boolean;
  /** Id of its server in Nova, in lower case; null while there is none. */
  readonly serverId: string | null;
  /** undefined where it has none at all. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
}

/** The machines of a cluster. Servers of those without a node yet are read as well where not all of `wanted` are found else. */
export async function listNodeMachines(
  kubernetes: KubernetesClient,
  stackId: string,
  wanted: readonly string[],
): Promise<readonly NodeMachine[]> {
  const selection = { namespace, labelSelector: `${clusterNameLabel}=${stackId}` };
  const objects = await kubernetes.list(resources.machine, selection);
  const machines = objects.map((object) => nodeMachine(object, providedServer(object)));
  const isComplete = wanted.every((node) => findMachine(machines, node) !== undefined);
  if (isComplete || machines.every(({ serverId }) => serverId !== null)) return machines;
  const servers = new Map<string | null, string | null>();
  for (const object of await kubernetes.list(resources.openStackServer, selection)) {
    const { name, instanceId } = readCloudObject(object);
    servers.set(name, instanceId);
  }
  return objects.map((object) => {
    const built = servers.get(readMachine(object).infrastructureName) ?? null;
    return nodeMachine(object, providedServer(object) ?? built);
  });
}

/** The machine that a user means by the id of its server or by its own name. */
export function findMachine(machines: readonly NodeMachine[], node: string): NodeMachine | undefined {
  return machines.find(({ name, serverId }) => name === node || serverId === node.toLowerCase());
}

/** The last part of e.g. `openstack://region/<id>`; CAPO writes it once the server is active. */
function providedServer(machine: object): string | null {
  return textAt(machine, 'spec', 'providerID')?.split('/').at(-1) || null;
}

function nodeMachine(object: object, serverId: string | null): NodeMachine {
  const { name, nodegroup, isDeleting } = readMachine(object);
  return {
    name,
    uid: textAt(object, 'metadata', 'uid') ?? '',
    resourceVersion: textAt(object, 'metadata', 'resourceVersion') ?? '',
    nodegroup,
    isDeleting,
    serverId: serverId?.toLowerCase() ?? null,
    annotations:
      partAt(object, 'metadata', 'annotations') === undefined ? undefined : textsAt(object, 'metadata', 'annotations'),
  };
}
