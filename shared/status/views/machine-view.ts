import { masterNodegroup } from '../master-nodegroup.ts';
import { type Condition, readConditions } from './condition.ts';
import { listAt, partAt, textAt, timeAt } from './json-part.ts';
import { nodegroupLabel } from './machine-owner.ts';

const controlPlaneLabel = 'cluster.x-k8s.io/control-plane';

/** What the rules read of a Machine. */
export interface MachineView {
  readonly name: string;
  /** null for a machine that belongs to none. */
  readonly nodegroup: string | null;
  readonly created: number | null;
  readonly isDeleting: boolean;
  readonly version: string | null;
  /** Of its Node; null before there is one. */
  readonly kubeletVersion: string | null;
  /** The first internal address, or the first external one where there is no internal. */
  readonly address: string | null;
  /** Name of its OpenStackMachine, which its OpenStackServer has too. */
  readonly infrastructureName: string | null;
  readonly conditions: readonly Condition[];
}

export function readMachine(object: unknown): MachineView {
  return {
    name: textAt(object, 'metadata', 'name') ?? '',
    nodegroup: nodegroupOf(object),
    created: timeAt(object, 'metadata', 'creationTimestamp'),
    isDeleting: textAt(object, 'metadata', 'deletionTimestamp') !== null,
    version: textAt(object, 'spec', 'version'),
    kubeletVersion: textAt(object, 'status', 'nodeInfo', 'kubeletVersion'),
    address: addressOf(object),
    infrastructureName: textAt(object, 'spec', 'infrastructureRef', 'name'),
    conditions: readConditions(object),
  };
}

function nodegroupOf(object: unknown): string | null {
  if (partAt(object, 'metadata', 'labels', controlPlaneLabel) !== undefined) return masterNodegroup;
  return textAt(object, 'metadata', 'labels', nodegroupLabel);
}

function addressOf(object: unknown): string | null {
  const addresses = listAt(object, 'status', 'addresses');
  const first = (type: string) =>
    addresses.map((entry) => (textAt(entry, 'type') === type ? textAt(entry, 'address') : null)).find(Boolean) ?? null;
  return first('InternalIP') ?? first('ExternalIP');
}
