import type { NodegroupSize } from '../cluster-intent.ts';
import type { FaultList } from '../reading/fault-list.ts';
import type { FieldReader } from '../reading/field-reader.ts';
import type { LabelReader } from '../reading/label-reader.ts';
import type { NodegroupReading } from '../reading/snapshot-reading.ts';
import type { Subject } from '../reading/subject.ts';
import { count } from '../syntax/scalar.ts';

const nodes = count();

/** What Magnum writes into `min_node_count` when nobody asked for a minimum. */
const impliedMinimum = 1;

export function nodegroupSize(reading: NodegroupReading): NodegroupSize {
  const { fields, labels } = reading;
  const replicas = fields.read('node_count', nodes);
  if (replicas === null) fields.missing('node_count');
  if (labels.read('auto_scaling_enabled')) return autoscaledSize(reading, replicas);
  return { kind: 'fixed', replicas: fixedReplicas({ fields, faults: reading.cluster.faults }, replicas) };
}

interface LimitedRow {
  readonly fields: FieldReader;
  readonly faults: FaultList;
}

/** A number of nodes that is not the autoscaler's, held against the limits of its row; 0 where there is none. */
export function fixedReplicas({ fields, faults }: LimitedRow, replicas: number | null): number {
  const minimum = fields.read('min_node_count', nodes) ?? 0;
  // Magnum's own check takes 0 for no maximum too.
  const maximum = fields.read('max_node_count', nodes) || null;
  const subject = fields.subject('node_count');
  if (replicas === null) return 0;
  if (maximum !== null && replicas > maximum) faults.add(subject, `: ${replicas} is above max_node_count, ${maximum}`);
  if (minimum > impliedMinimum && replicas < minimum) {
    faults.add(subject, `: ${replicas} is below min_node_count, ${minimum}`);
  }
  return replicas;
}

function autoscaledSize(reading: NodegroupReading, replicas: number | null): NodegroupSize {
  const { fields, nodegroup, labels, ownLabels, cluster } = reading;
  // The cluster's labels mean its default nodegroup: others would get limits that nobody gave them.
  const limits = nodegroup.is_default ? labels : ownLabels;
  const minimum = lowerLimit(reading, limits);
  const upper = upperLimit(reading, limits);
  const maximum = upper?.value ?? minimum + 1;
  const hint = 'Set min_node_count and max_node_count of the nodegroup; without a maximum it is the minimum + 1.';
  if (upper !== null && maximum < minimum) {
    cluster.faults.add(upper.subject, `: ${maximum} is below the minimum of ${minimum} nodes`, hint);
  } else if (replicas !== null && (replicas < minimum || replicas > maximum)) {
    const range = `from ${minimum} to ${maximum}`;
    cluster.faults.add(fields.subject('node_count'), `: ${replicas} is outside the autoscaler's range ${range}`, hint);
  }
  return { kind: 'autoscaled', minimum, maximum };
}

/** The nodegroup's own number, unless it is the one that Magnum implies for the default nodegroup. */
function lowerLimit({ fields, nodegroup }: NodegroupReading, limits: LabelReader): number {
  const own = fields.read('min_node_count', nodes);
  const isImplied = own === null || (nodegroup.is_default && own === impliedMinimum);
  return (isImplied ? limits.read('min_node_count') : null) ?? own ?? impliedMinimum;
}

interface Limit {
  readonly value: number;
  readonly subject: Subject;
}

function upperLimit({ fields }: NodegroupReading, limits: LabelReader): Limit | null {
  const own = fields.read('max_node_count', nodes);
  if (own !== null && own > 0) return { value: own, subject: fields.subject('max_node_count') };
  const label = limits.read('max_node_count');
  return label === null ? null : { value: label, subject: limits.subject('max_node_count') };
}
