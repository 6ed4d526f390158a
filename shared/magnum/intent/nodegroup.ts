import type { NodegroupIntent } from '../cluster-intent.ts';
import type { NodegroupReading } from '../reading/snapshot-reading.ts';
import { type Subject, shownName } from '../reading/subject.ts';
import type { NodegroupSnapshot } from '../snapshot.ts';
import { isDnsLabel, isLabelName } from '../syntax/kubernetes-syntax.ts';
import { clip, quote } from '../syntax/quote.ts';
import { nodeLabels, nodeTaints } from './node-metadata.ts';
import { nodegroupSize } from './nodegroup-size.ts';
import { serverGroupIntent } from './server-group.ts';
import { bootVolumeIntent, dockerVolumeIntent, zonesOf } from './volumes.ts';

/** Longest name: that of a Machine, `kube-xxxxx-<name>-xxxxx-yyyyyyyyyy`, has to fit 63 characters. */
const maximumName = 34;

/** Nodes with this role would be taken for masters, by the kubeadm control plane and by add-ons. */
const reservedRole = 'control-plane';

/** Magnum's own default. */
const defaultRole = 'worker';

/** A group that is on its way out: its row outlives its topology entry. */
export function isDeleting(nodegroup: NodegroupSnapshot): boolean {
  return nodegroup.status?.startsWith('DELETE_') ?? false;
}

export function nodegroupIntent(reading: NodegroupReading): NodegroupIntent {
  const { cluster, fields, labels, nodegroup } = reading;
  checkName(reading);
  return {
    name: nodegroup.name,
    role: nodegroupRole(reading),
    size: nodegroupSize(reading),
    flavor:
      fields.text('flavor_id') ??
      cluster.cluster.text('flavor_id') ??
      cluster.template.text('flavor_id') ??
      fields.missing('flavor_id'),
    image: fields.text('image_id') ?? cluster.template.text('image_id') ?? fields.missing('image_id'),
    bootVolume: bootVolumeIntent(labels, cluster.snapshot.options),
    ...zonesOf(labels),
    dockerVolume: dockerVolumeIntent(labels, fields, cluster.cluster),
    imageRepository: labels.read('container_infra_prefix'),
    serverGroup: serverGroupIntent(labels),
    autoHealing: labels.read('auto_healing_enabled'),
    nodeLabels: nodeLabels(reading),
    nodeTaints: nodeTaints(reading),
  };
}

export function nameSubject(name: string): Subject {
  return { code: 'invalid_field', path: `nodegroups.${clip(name)}.name`, title: `Nodegroup ${shownName(name)}` };
}

function checkName({ nodegroup, existing, cluster: { faults } }: NodegroupReading): void {
  const { name } = nodegroup;
  const subject = nameSubject(name);
  if (name.length > maximumName) {
    faults.addOrNote(subject, existing && isDnsLabel(name), {
      problem: `: the name has ${name.length} characters, at most ${maximumName} are possible`,
      instead: 'it stays, but names of its machines are cut',
    });
  } else if (!isDnsLabel(name)) {
    faults.add(subject, ': the name needs lower-case letters, digits and hyphens only, with no hyphen at the ends');
  }
}

export function nodegroupRole({ nodegroup, fields, existing, cluster: { faults } }: NodegroupReading): string {
  const name = fields.text('role') ?? defaultRole;
  const subject = fields.subject('role');
  if (!isLabelName(name)) faults.add(subject, `: ${quote(name)} is no value of a Kubernetes label`);
  if (name === reservedRole) {
    faults.addOrNote(subject, existing, {
      problem: `: ${reservedRole} is kept for the masters`,
      instead: `nodegroup ${shownName(nodegroup.name)} keeps it`,
    });
  }
  return name;
}
