import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { LiveMachineDeployment } from '../../shared/kubernetes/live-cluster.ts';
import { splitList } from '../../shared/magnum/syntax/scalar.ts';
import type { NodegroupChange } from '../../shared/magnum/to-nodegroup-change.ts';
import { registrationOverrides, registrationVariables } from '../../shared/render/nodegroup-overrides.ts';

export type VariableOverrides = NonNullable<NonNullable<LiveMachineDeployment['variables']>['overrides']>;
type Override = VariableOverrides[number];

const json = z.json();

/** A nodegroup's overrides with the labels and taints of its changed row; what says the same in another order is kept. */
export function changedOverrides(
  live: VariableOverrides,
  change: Pick<NodegroupChange, 'nodeLabels' | 'nodeTaints'>,
): VariableOverrides {
  const wanted = registrationOverrides(change).map(({ name, value }) => ({ name, value: json.parse(value) }));
  const kept = live.filter((one) => !registrationVariables.includes(one.name) || isWanted(one, wanted));
  const added = wanted.filter((one) => !isWanted(one, live));
  return [...kept, ...added];
}

/** The overrides of nodes' labels and taints that are not among others. */
export function newRegistrations(wanted: VariableOverrides, live: VariableOverrides): VariableOverrides {
  return wanted.filter((one) => registrationVariables.includes(one.name) && !isWanted(one, live));
}

function isWanted(override: Override, wanted: VariableOverrides): boolean {
  return wanted.some((one) => one.name === override.name && isSame(one.value, override.value));
}

/** Labels stand in one text, taints in a list; neither has an order that means something. */
function isSame(value: unknown, other: unknown): boolean {
  const [items, others] = [itemsOf(value), itemsOf(other)];
  return items.length === others.length && items.every((item) => others.some((one) => isDeepStrictEqual(item, one)));
}

function itemsOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return splitList(value);
  return Array.isArray(value) ? value : [value];
}
