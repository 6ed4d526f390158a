import { isDnsLabel } from '../syntax/kubernetes-syntax.ts';
import { clip, quote } from '../syntax/quote.ts';

/** What a fault is about: a label or a field of a row. */
export interface Subject {
  readonly code: 'invalid_label' | 'invalid_field' | 'not_found';
  /** As in `Fault.field`. */
  readonly path: string;
  /** How a sentence names it, e.g. `Label boot_volume_size of nodegroup gpu`. */
  readonly title: string;
}

/** A row of Magnum's database. */
export interface Owner {
  readonly path: string;
  readonly labelPath: string;
  /** How a sentence names the row behind a field. */
  readonly suffix: string;
  /** How it names the row behind a label; '' for the cluster, whose labels are meant unless a nodegroup is named. */
  readonly labelSuffix: string;
}

export const clusterOwner: Owner = {
  path: 'cluster',
  labelPath: 'labels',
  suffix: ' of the cluster',
  labelSuffix: '',
};

export const templateOwner: Owner = {
  path: 'cluster_template',
  labelPath: 'cluster_template.labels',
  suffix: ' of the cluster template',
  labelSuffix: ' of the cluster template',
};

export function nodegroupOwner(name: string): Owner {
  const path = `nodegroups.${clip(name)}`;
  const suffix = ` of nodegroup ${shownName(name)}`;
  return { path, labelPath: `${path}.labels`, suffix, labelSuffix: suffix };
}

/** A nodegroup as a message names it: quoted unless it is a plain word. */
export function shownName(name: string): string {
  return isDnsLabel(name) ? name : quote(name);
}

export function fieldSubject(owner: Owner, field: string): Subject {
  return { code: 'invalid_field', path: `${owner.path}.${field}`, title: `Field ${field}${owner.suffix}` };
}

export function labelSubject(owner: Owner, label: string): Subject {
  return { code: 'invalid_label', path: `${owner.labelPath}.${label}`, title: `Label ${label}${owner.labelSuffix}` };
}
