import { masterNodegroup } from '../master-nodegroup.ts';
import type { MachineView } from '../views/machine-view.ts';

/** A machine as a reason names it, e.g. `Machine x of nodegroup y`. */
export function machineSubject({ name, nodegroup }: MachineView): string {
  if (nodegroup === null) return `Machine ${name}`;
  return nodegroup === masterNodegroup ? `Control plane machine ${name}` : `Machine ${name} of nodegroup ${nodegroup}`;
}
