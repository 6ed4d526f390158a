import type { MagnumSnapshot, NodegroupSnapshot } from '../snapshot.ts';
import { FaultList } from './fault-list.ts';
import { type FieldReader, fieldReader } from './field-reader.ts';
import { inheritedLabelReader, type LabelReader, labelReader } from './label-reader.ts';
import { clusterOwner, nodegroupOwner, templateOwner } from './subject.ts';

/** What the rules read a cluster from, and where they report. */
export interface ClusterReading {
  readonly snapshot: MagnumSnapshot;
  readonly faults: FaultList;
  /** Magnum knows its Cluster already. */
  readonly existing: boolean;
  readonly cluster: FieldReader;
  readonly template: FieldReader;
  /** Magnum's merged set of template and cluster. */
  readonly labels: LabelReader;
}

export function clusterReading(snapshot: MagnumSnapshot): ClusterReading {
  const faults = new FaultList();
  const existing = hasText(snapshot.cluster.stack_id);
  const source = { labels: snapshot.cluster.labels, owner: clusterOwner, faults, existing };
  return {
    snapshot,
    faults,
    existing,
    cluster: fieldReader(snapshot.cluster, clusterOwner, faults),
    template: fieldReader(snapshot.cluster_template, templateOwner, faults),
    labels: labelReader(source),
  };
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** What the rules read one nodegroup from. */
export interface NodegroupReading {
  readonly cluster: ClusterReading;
  readonly nodegroup: NodegroupSnapshot;
  readonly existing: boolean;
  readonly fields: FieldReader;
  /** The nodegroup's own, then the cluster's. */
  readonly labels: LabelReader;
  /** The nodegroup's own only. */
  readonly ownLabels: LabelReader;
}

export function nodegroupReading(cluster: ClusterReading, nodegroup: NodegroupSnapshot): NodegroupReading {
  const { faults } = cluster;
  const owner = nodegroupOwner(nodegroup.name);
  const existing = cluster.existing && nodegroup.status !== 'CREATE_IN_PROGRESS';
  const source = { owner, faults, existing };
  const changed = labelReader({ ...source, labels: withoutCopies(nodegroup.labels, cluster.snapshot.cluster.labels) });
  return {
    cluster,
    nodegroup,
    existing,
    fields: fieldReader(nodegroup, owner, faults),
    labels: inheritedLabelReader(changed, cluster.labels),
    ownLabels: labelReader({ ...source, labels: nodegroup.labels }),
  };
}

/** Magnum copies the cluster's labels into its default nodegroups; a fault of a copy would be reported for each of them. */
function withoutCopies(labels: unknown, clusterLabels: unknown): unknown {
  if (!isObject(labels) || !isObject(clusterLabels)) return labels;
  const originals = new Map(Object.entries(clusterLabels));
  return Object.fromEntries(Object.entries(labels).filter(([name, value]) => originals.get(name) !== value));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
