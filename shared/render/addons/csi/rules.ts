import type { V1PolicyRule } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { clusterRole, clusterRoleBinding, type Manifest } from '../manifest.ts';

/** Verbs, with blanks between, by resource; one of another group than the core one stands behind the group and a blank. */
export type Grants = Readonly<Record<string, string>>;

export const read = 'get list watch';
/** Of the Lease by which replicas choose a leader. */
export const leaseVerbs = `${read} delete update create`;
export const eventVerbs = 'list watch create update patch';

export function rules(grants: Grants): Wire<V1PolicyRule>[] {
  return Object.entries(grants).map(([key, verbs]) => {
    const [resource = '', group = ''] = key.split(' ').toReversed();
    return { apiGroups: [group], resources: [resource], verbs: verbs.split(' ') };
  });
}

export interface BoundRole {
  readonly role: string;
  readonly binding: string;
  readonly serviceAccount: string;
  readonly grants: Grants;
}

/** A ClusterRole with its binding. */
export function boundRole({ role, binding, serviceAccount, grants }: BoundRole): readonly Manifest[] {
  return [clusterRole({ name: role }, rules(grants)), clusterRoleBinding({ name: binding }, { role, serviceAccount })];
}
