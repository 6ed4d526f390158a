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
  const name = stackNames(stackId).addons;
  const applied = appliedResources(addons, name);
  const missing = listAt(addons, 'resourceSet', 'spec', 'resources').filter((resource) => !applied.has(key(resource)));
  if (missing.length === 0) return [];
  const names = missing.map((resource) => addonName(resource, stackId)).toSorted();
  return [sentence(`${subject}: ${names.join(', ')} missing`, failureOf(addons))];
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
