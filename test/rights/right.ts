/** That an account may do something: what a Role grants, or what a call has used. */
export interface Right {
  /** Name of the ServiceAccount. */
  readonly account: string;
  /** `''` for the core group. */
  readonly group: string;
  /** With its subresource, e.g. `machinedeployments/scale`. */
  readonly resource: string;
  readonly verb: string;
}

/** As a line that tells it from every other, e.g. `magnum-create: patch clusters.cluster.x-k8s.io`. */
export function rightText({ account, group, resource, verb }: Right): string {
  return `${account}: ${verb} ${resource}${group === '' ? '' : `.${group}`}`;
}
