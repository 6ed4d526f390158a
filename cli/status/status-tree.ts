import { addonStates } from '../../shared/status/blockers/addon-blockers.ts';
import { masterNodegroup } from '../../shared/status/master-nodegroup.ts';
import { type CloudObject, readCloudObject } from '../../shared/status/views/cloud-object.ts';
import { readCluster } from '../../shared/status/views/cluster-view.ts';
import { readConditions } from '../../shared/status/views/condition.ts';
import { countAt, isTrueAt, listAt, textAt } from '../../shared/status/views/json-part.ts';
import { type MachineOwner, readControlPlane, readMachineDeployment } from '../../shared/status/views/machine-owner.ts';
import { type MachineView, readMachine } from '../../shared/status/views/machine-view.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import { type Concern, concernsOf } from './concern.ts';

/** One object of a cluster, with those that belong to it. */
export interface TreeNode {
  readonly kind: string;
  readonly name: string;
  readonly health: 'good' | 'busy' | 'bad';
  /** Short texts, the most telling first. */
  readonly facts: readonly string[];
  readonly concerns: readonly Concern[];
  readonly children: readonly TreeNode[];
}

/** The objects of a cluster below its Cluster; null where that is not there. No state of the objects makes it throw. */
export function statusTree(objects: ClusterObjects): TreeNode | null {
  const view = readCluster(objects.cluster);
  if (view === null) return null;
  const machines = objects.machines.map((object) => ({ object, view: readMachine(object) }));
  const owners = [
    ...objects.controlPlanes.flatMap((object) => readControlPlane(object) ?? []).map((one) => controlPlaneNode(one)),
    ...objects.machineDeployments.map(readMachineDeployment).map((one) => deploymentNode(one)),
  ];
  const known = new Set(owners.map(({ nodegroup }) => nodegroup));
  const nodesOf = (isMeant: (machine: MachineView) => boolean) =>
    machines.filter((machine) => isMeant(machine.view)).map((machine) => machineNode(machine, objects));
  return node({
    kind: 'Cluster',
    name: objects.stackId,
    facts: [view.isDeleting ? 'deleting' : '', isTrueAt(objects.cluster, 'spec', 'paused') ? 'paused' : ''],
    concerns: concernsOf(view.conditions),
    children: [
      ...objects.openStackClusters.map((object) => cloudNode('OpenStackCluster', readCloudObject(object))),
      ...owners.map((owner) => ({
        ...owner.node,
        children: nodesOf(({ nodegroup }) => nodegroup === owner.nodegroup),
      })),
      ...nodesOf(({ nodegroup }) => !known.has(nodegroup)),
      ...addonNodes(objects),
      ...objects.autoscalers.map(autoscalerNode),
    ],
  });
}

interface OwnerNode {
  readonly nodegroup: string | null;
  readonly node: TreeNode;
}

function controlPlaneNode(owner: MachineOwner): OwnerNode {
  return { nodegroup: masterNodegroup, node: ownerNode('KubeadmControlPlane', owner) };
}

function deploymentNode(owner: MachineOwner): OwnerNode {
  return { nodegroup: owner.nodegroup, node: ownerNode('MachineDeployment', owner) };
}

function ownerNode(kind: string, owner: MachineOwner): TreeNode {
  const { name, wanted, ready, existing, upToDate, version, isDeleting, conditions } = owner;
  return node({
    kind,
    name,
    facts: [
      isDeleting ? 'deleting' : '',
      `${ready}/${wanted ?? existing} ready`,
      upToDate < existing ? `${upToDate} of ${existing} up to date` : '',
      version ?? '',
    ],
    concerns: concernsOf(conditions),
  });
}

interface SeenMachine {
  readonly object: unknown;
  readonly view: MachineView;
}

function machineNode({ object, view }: SeenMachine, objects: ClusterObjects): TreeNode {
  const { name, infrastructureName, kubeletVersion, version, address, isDeleting, conditions } = view;
  const own = (list: readonly unknown[]) => list.map(readCloudObject).filter((one) => one.name === infrastructureName);
  const phase = textAt(object, 'status', 'phase') ?? '';
  return node({
    kind: 'Machine',
    name,
    facts: [
      isDeleting && phase !== 'Deleting' ? 'deleting' : '',
      phase,
      kubeletVersion ?? version ?? '',
      address ?? '',
      nodeOf(object, name),
    ],
    concerns: concernsOf(conditions),
    children: [
      ...own(objects.openStackMachines).map((one) => cloudNode('OpenStackMachine', one)),
      ...own(objects.openStackServers).map((one) => cloudNode('OpenStackServer', one)),
    ],
  });
}

/** The Node usually has the machine's name, which then need not be said. */
function nodeOf(object: unknown, name: string): string {
  const found = textAt(object, 'status', 'nodeRef', 'name');
  return found === null || found === name ? '' : `node ${found}`;
}

function cloudNode(kind: string, object: CloudObject): TreeNode {
  const { name, instanceState, instanceId, failureMessage, conditions } = object;
  const failure: Concern[] =
    failureMessage === null
      ? []
      : [{ type: 'Failure', status: 'True', reason: '', message: failureMessage, isFault: true }];
  return node({
    kind,
    name,
    facts: [instanceState ?? '', instanceId ?? ''],
    concerns: [...failure, ...concernsOf(conditions)],
  });
}

function addonNodes({ stackId, resourceSet, binding }: ClusterObjects): readonly TreeNode[] {
  if (resourceSet === null) return [];
  const states = addonStates({ resourceSet, binding }, stackId);
  const applied = states.filter(({ isApplied }) => isApplied).length;
  const children = states.map(({ name, isApplied }) => {
    const health = isApplied ? ('good' as const) : ('busy' as const);
    const facts = [isApplied ? 'applied' : 'not applied'];
    return { kind: 'add-on', name, health, facts, concerns: [], children: [] };
  });
  const facts = [`${applied}/${states.length} applied`];
  const concerns = concernsOf(readConditions(resourceSet));
  return [
    node({
      kind: 'ClusterResourceSet',
      name: textAt(resourceSet, 'metadata', 'name') ?? '',
      facts,
      concerns,
      children,
    }),
  ];
}

function autoscalerNode(deployment: unknown): TreeNode {
  const wanted = countAt(deployment, 'spec', 'replicas') ?? 1;
  const ready = countAt(deployment, 'status', 'readyReplicas') ?? 0;
  const image = textAt(listAt(deployment, 'spec', 'template', 'spec', 'containers')[0], 'image');
  return node({
    kind: 'Deployment',
    name: textAt(deployment, 'metadata', 'name') ?? '',
    facts: [`${ready}/${wanted} ready`, image?.split(':').at(-1) ?? ''],
    concerns: concernsOf(readConditions(deployment)),
  });
}

function node(given: Omit<TreeNode, 'health' | 'children'> & { readonly children?: readonly TreeNode[] }): TreeNode {
  const { facts, concerns, children = [] } = given;
  const busy = concerns.length === 0 ? 'good' : 'busy';
  const health = concerns.some(({ isFault }) => isFault) ? 'bad' : busy;
  return { ...given, health, facts: facts.filter((fact) => fact !== ''), children };
}
