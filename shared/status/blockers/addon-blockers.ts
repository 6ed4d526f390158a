import type { OperationRecord } from '../../kubernetes/operation-record.ts';
import { stackNames } from '../../render/stack-names.ts';
import type { ClusterState } from '../cluster-state.ts';
import { because, sentence } from '../reason/sentence.ts';
import { conditionOf, readConditions } from '../views/condition.ts';
import { isTrueAt, listAt, textAt } from '../views/json-part.ts';

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
  const condition = conditionOf(readConditions(addons.resourceSet), 'ResourcesApplied');
  if (condition?.status === 'False') return [because(subject, condition)];
  const names = missing.map((resource) => textAt(resource, 'name') ?? 'one without a name').toSorted();
  return [sentence(subject, `${names.join(', ')} missing`)];
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
