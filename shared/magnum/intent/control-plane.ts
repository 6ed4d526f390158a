import type { ControlPlaneIntent } from '../cluster-intent.ts';
import { type FieldReader, fieldReader } from '../reading/field-reader.ts';
import type { ClusterReading } from '../reading/snapshot-reading.ts';
import { nodegroupOwner } from '../reading/subject.ts';
import type { NodegroupSnapshot } from '../snapshot.ts';
import { boolean, count } from '../syntax/scalar.ts';
import type { Parse } from '../syntax/text-format.ts';
import { serverGroupIntent } from './server-group.ts';

const wholeNumber = count();

/** Etcd needs a majority, so an even number of masters stands no more failures than one master less. */
export const masterCount: Parse<number> = (text) => {
  const parsed = wholeNumber(text);
  if ('problem' in parsed || parsed.value % 2 === 1) return parsed;
  return { problem: 'is not an odd number of masters' };
};

/** The master nodegroup has no topology entry of its own: it is the control plane. */
export function isMaster(nodegroup: NodegroupSnapshot): boolean {
  return nodegroup.role === 'master';
}

export function controlPlaneIntent(reading: ClusterReading): ControlPlaneIntent {
  const { cluster, template, labels } = reading;
  const master = masterFields(reading);
  return {
    replicas: replicas(reading, master),
    flavor:
      cluster.text('master_flavor_id') ??
      master.text('flavor_id') ??
      template.text('master_flavor_id') ??
      cluster.missing('master_flavor_id'),
    image: master.text('image_id') ?? template.text('image_id') ?? template.missing('image_id'),
    availabilityZones: labels.read('control_plane_availability_zones'),
    serverGroup: serverGroupIntent(labels),
    autoHealing: labels.read('auto_healing_enabled'),
  };
}

/** Without a master nodegroup every field reads as missing. */
function masterFields({ snapshot, faults }: ClusterReading): FieldReader {
  const masters = snapshot.nodegroups.filter(isMaster);
  const master = masters.find((nodegroup) => nodegroup.is_default) ?? masters[0];
  return fieldReader(master ?? {}, nodegroupOwner(master?.name ?? 'default-master'), faults);
}

function replicas({ cluster, template, faults, existing }: ClusterReading, master: FieldReader): number {
  const number = cluster.read('master_count', masterCount) ?? master.read('node_count', masterCount);
  if (number === null) {
    cluster.missing('master_count');
    return 1;
  }
  if (number > 1 && !hasLoadBalancer(cluster, template)) {
    faults.addOrNote(cluster.subject('master_lb_enabled'), existing, {
      problem: `: ${number} masters need a load balancer in front of the API`,
      instead: 'the API stays without one',
      hint: 'Create the cluster with --master-lb-enabled, or with one master.',
    });
  }
  return number;
}

export function hasLoadBalancer(cluster: FieldReader, template: FieldReader): boolean {
  return cluster.read('master_lb_enabled', boolean) ?? template.read('master_lb_enabled', boolean) ?? false;
}
