import type { LiveCluster, LiveMachineDeployment } from '../../shared/kubernetes/live-cluster.ts';
import type { ImageFacts } from '../../shared/render/cloud-facts.ts';
import type { Topology } from '../../shared/render/cluster.ts';
import { workerClass } from '../../shared/render/cluster-class/selectors.ts';
import { variableDefaults } from '../../shared/render/cluster-class/variable-targets.ts';
import type { MachineDeploymentTopology } from '../../shared/render/machine-deployment.ts';
import { maximumSizeAnnotation, minimumSizeAnnotation } from '../../shared/render/nodegroup-metadata.ts';

const limitKeys = [minimumSizeAnnotation, maximumSizeAnnotation];

type LiveTopology = LiveCluster['spec']['topology'];

/** The topology that replaces the live one. */
export type UpgradedTopology = Omit<Topology, 'workers'> & {
  readonly workers?: { readonly machineDeployments: readonly object[] };
};

/**
 * What an upgrade makes of a live topology. The nodegroups are those that live, of their live sizes: the snapshot may be older than a
 * nodegroup or its deletion. One that is not rendered keeps what it has and gets the new image.
 * @param rendered from Magnum's rows
 */
export function upgradedTopology(live: LiveTopology, rendered: Topology, image: ImageFacts): UpgradedTopology {
  const { workers: wanted, ...others } = rendered;
  const byName = new Map(wanted?.machineDeployments.map((entry) => [entry.name, entry]));
  const entries = live.workers?.machineDeployments ?? [];
  const machineDeployments = entries.map((entry) => {
    const own = byName.get(entry.name);
    return own === undefined ? keptEntry(entry, image) : sizedEntry(own, entry);
  });
  const { replicas } = live.controlPlane ?? {};
  return {
    ...others,
    controlPlane: { ...others.controlPlane, replicas: replicas ?? others.controlPlane.replicas },
    // Cluster API refuses the empty list.
    ...(machineDeployments.length === 0 ? {} : { workers: { machineDeployments } }),
  };
}

/** A group that Magnum's snapshot does not know, or knows from before its last change. */
function keptEntry({ failureDomain, ...entry }: LiveMachineDeployment, image: ImageFacts): object {
  const { overrides = [] } = entry.variables ?? {};
  const replaced = ['imageUUID', 'hardwareDiskBus'];
  const kept = overrides.filter(({ name }) => variableDefaults.has(name) && !replaced.includes(name));
  return {
    ...entry,
    class: workerClass,
    // Neither '' nor null is accepted (user-reports F34).
    ...(failureDomain ? { failureDomain } : {}),
    variables: {
      overrides: [...kept, { name: 'imageUUID', value: image.id }, { name: 'hardwareDiskBus', value: image.diskBus }],
    },
  };
}

/** Sizes belong to resize and to the autoscaler; what others wrote into the metadata stays too. */
function sizedEntry(
  { replicas: _, ...rendered }: MachineDeploymentTopology,
  live: LiveMachineDeployment,
): Omit<MachineDeploymentTopology, 'metadata'> & { readonly metadata: object } {
  const { labels = {}, annotations = {} } = live.metadata ?? {};
  const limits = Object.entries(annotations).filter(([key]) => limitKeys.includes(key));
  const capacity = limits.length === 0 ? {} : rendered.metadata.annotations;
  const all = { ...annotations, ...capacity, ...Object.fromEntries(limits) };
  return {
    ...rendered,
    ...(live.replicas === undefined ? {} : { replicas: live.replicas }),
    metadata: {
      labels: { ...labels, ...rendered.metadata.labels },
      ...(Object.keys(all).length === 0 ? {} : { annotations: all }),
    },
  };
}
