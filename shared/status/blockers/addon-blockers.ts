import type { OperationRecord } from '../../kubernetes/operation-record.ts';
import { stackNames } from '../../render/stack-names.ts';
import type { ClusterState } from '../cluster-state.ts';
import { sentence, tellOf } from '../reason/sentence.ts';
import { conditionOf, readConditions } from '../views/condition.ts';
import { isTrueAt, listAt, partAt, textAt } from '../views/json-part.ts';

const subject = 'The add-ons of the cluster are not applied';

/** Whether the operation is over only when the add-ons are in the cluster. */
export function awaitsAddons({ type }: OperationRecord): boolean {
  return ['cluster.create', 'cluster.upgrade', 'cluster.credential.rotate'].includes(type);
}

/** What keeps the add-ons from being in the cluster; a cluster without a resource set has none. */
export function addonBlockers({ addons, stackId }: ClusterState): string[] {
  if (addons === undefined) return [sentence('The add-ons of the cluster are not checked yet')];
  if (addons === null) return [];
  const missing = addonStates(addons, stackId).filter(({ isApplied }) => !isApplied);
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name).toSorted();
  return [sentence(`${subject}: ${names.join(', ')} missing`, failureOf(addons))];
}

/** One add-on, and whether Cluster API has put it into the cluster. */
export interface AddonState {
  /** Without the cluster's name. */
  readonly name: string;
  readonly isApplied: boolean;
}

/** The add-ons that the resource set of a cluster names. */
export function addonStates(addons: NonNullable<ClusterState['addons']>, stackId: string): readonly AddonState[] {
  const applied = appliedResources(addons, stackNames(stackId).addons);
  return listAt(addons, 'resourceSet', 'spec', 'resources').map((resource) => ({
    name: addonName(resource, stackId),
    isApplied: applied.has(key(resource)),
  }));
}

/** Its Secret is named after the cluster and the add-on. */
function addonName(resource: unknown, stackId: string): string {
  const name = textAt(resource, 'name') ?? 'one without a name';
  return name.startsWith(`${stackId}-`) ? name.slice(stackId.length + 1) : name;
}

/** Why applying failed; '' where it has not. Of Cluster API's conditions only the deprecated one has the error itself. */
function failureOf({ resourceSet }: NonNullable<ClusterState['addons']>): string {
  const told = conditionOf(readConditions(resourceSet), 'ResourcesApplied');
  if (told?.status !== 'False') return '';
  const old = readConditions({ status: partAt(resourceSet, 'status', 'deprecated', 'v1beta1') });
  const detailed = conditionOf(old, 'ResourcesApplied');
  return tellOf(detailed?.status === 'False' && detailed.message !== '' ? detailed : told);
}

function appliedResources(addons: NonNullable<ClusterState['addons']>, name: string): ReadonlySet<string> {
  const applied = listAt(addons, 'binding', 'spec', 'bindings')
    .filter((binding) => textAt(binding, 'clusterResourceSetName') === name)
    .flatMap((binding) => listAt(binding, 'resources'))
    .filter((resource) => isTrueAt(resource, 'applied'));
  return new Set(applied.map(key));
}

function key(resource: unknown): string {
  return `${textAt(resource, 'kind') ?? ''}/${textAt(resource, 'name') ?? ''}`;
}
