import type { OperatingSystem } from './cluster-intent.ts';
import { isMaster } from './intent/control-plane.ts';
import { operatingSystemOf } from './intent/kubernetes.ts';
import { FaultList, type Outcome } from './reading/fault-list.ts';
import { fieldReader } from './reading/field-reader.ts';
import { labelReader } from './reading/label-reader.ts';
import type { Owner } from './reading/subject.ts';
import type { MagnumSnapshot } from './snapshot.ts';

/** What an upgrade takes from the new cluster template; nothing else of it counts (user-reports A5). */
export interface UpgradeTarget {
  /** With leading `v`. */
  readonly kubernetesVersion: string;
  /** Name or id, for masters and workers alike. */
  readonly image: string;
  /** Of the image; it has to be the cluster's own. */
  readonly operatingSystem: OperatingSystem;
}

const newTemplateOwner: Owner = {
  path: 'new_cluster_template',
  labelPath: 'new_cluster_template.labels',
  suffix: ' of the new cluster template',
  labelSuffix: ' of the new cluster template',
};

export function toUpgradeTarget(newTemplate: MagnumSnapshot['cluster_template']): Outcome<UpgradeTarget> {
  const faults = new FaultList();
  const template = fieldReader(newTemplate, newTemplateOwner, faults);
  const labels = labelReader({ labels: newTemplate.labels, owner: newTemplateOwner, faults, existing: false });
  const version = labels.read('kube_tag');
  if (version === null && !labels.has('kube_tag')) faults.add(labels.subject('kube_tag'), ' is missing');
  return faults.outcome({
    kubernetesVersion: version ?? '',
    image: template.text('image_id') ?? template.missing('image_id'),
    operatingSystem: operatingSystemOf({ template }),
  });
}

/**
 * The snapshot as it would be after the upgrade, of the master nodegroup and of the named ones: the others have no machines, so
 * nothing wrong with them stands in the way.
 */
export function upgradedSnapshot(
  snapshot: MagnumSnapshot,
  { kubernetesVersion, image }: UpgradeTarget,
  nodegroups: readonly string[],
): MagnumSnapshot {
  const { cluster, cluster_template } = snapshot;
  return {
    ...snapshot,
    cluster: { ...cluster, labels: withVersion(cluster.labels, kubernetesVersion) },
    cluster_template: { ...cluster_template, image_id: image },
    nodegroups: snapshot.nodegroups
      .filter((nodegroup) => isMaster(nodegroup) || nodegroups.includes(nodegroup.name))
      .map((nodegroup) => ({ ...nodegroup, image_id: image })),
  };
}

/** Labels that are none stay, and become a fault where they are read. */
function withVersion(labels: unknown, kubernetesVersion: string): unknown {
  if (labels === null || labels === undefined) return { kube_tag: kubernetesVersion };
  if (typeof labels !== 'object' || Array.isArray(labels)) return labels;
  return { ...labels, kube_tag: kubernetesVersion };
}
