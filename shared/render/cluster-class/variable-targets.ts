import type { Patch, PatchDefinition, Selector } from './feature.ts';
import { features } from './features.ts';

/** Machines that the class makes; what ends in the OpenStackCluster alone rebuilds none. */
export type MachineGroup = 'controlPlane' | 'workers';

/**
 * The groups whose machines a variable is part of, by its name: read from the class's own patches. Infrastructure alone gives
 * none.
 */
export const variableTargets: ReadonlyMap<string, ReadonlySet<MachineGroup>> = targetsByVariable();

/** Values that variables have where nobody gives one. */
export const variableDefaults: ReadonlyMap<string, unknown> = new Map(
  features.flatMap(({ variables }) =>
    variables.map(({ name, schema }) => [name, schema.openAPIV3Schema.default] as const),
  ),
);

function targetsByVariable() {
  const targets = new Map(
    features.flatMap(({ variables }) => variables.map(({ name }) => [name, new Set<MachineGroup>()] as const)),
  );
  for (const patch of features.flatMap(({ patches }) => patches)) {
    for (const definition of patch.definitions) {
      for (const name of variablesOf(patch, definition)) {
        for (const group of groupsOf(definition.selector)) targets.get(name)?.add(group);
      }
    }
  }
  return targets;
}

function groupsOf({ matchResources }: Selector): MachineGroup[] {
  const { controlPlane, machineDeploymentClass } = matchResources;
  return [
    ...(controlPlane ? (['controlPlane'] as const) : []),
    ...(machineDeploymentClass === undefined ? [] : (['workers'] as const)),
  ];
}

/** Names in the condition and in the values; a template may have others, which are fields of a variable. */
function variablesOf({ enabledIf = '' }: Patch, { jsonPatches }: PatchDefinition): string[] {
  const sources = jsonPatches.flatMap((patch) => ('valueFrom' in patch ? [patch.valueFrom] : []));
  const templates = [enabledIf, ...sources.flatMap((source) => ('template' in source ? [source.template] : []))];
  const named = sources.flatMap((source) => ('variable' in source ? [source.variable.split(/[.[]/)[0] ?? ''] : []));
  return [...named, ...templates.flatMap(namesIn)];
}

/** What stands behind a dot that follows neither a name nor a bracket: `.bootVolume` of `.bootVolume.size`. */
function namesIn(template: string): string[] {
  return [...template.matchAll(/(?<![\w)\]])\.([A-Za-z]\w*)/g)].map(([, name = '']) => name);
}
