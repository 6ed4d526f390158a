import type { JsonPatch } from './feature.ts';
import { features } from './features.ts';

/** Machines that the class makes; what ends in the OpenStackCluster alone rebuilds none. */
export type MachineGroup = 'controlPlane' | 'workers';

/** Groups of machines by the name of a variable that is part of them. */
export type VariableTargets = ReadonlyMap<string, ReadonlySet<MachineGroup>>;

/** What of a class decides that. */
export interface VariableUse {
  readonly variables: readonly { readonly name: string }[];
  readonly patches: readonly ClassPatch[];
}

/** A patch of a class as far as it matters here, also one that the API server has completed. */
export interface ClassPatch {
  readonly enabledIf?: string | undefined;
  readonly definitions: readonly {
    readonly selector: {
      readonly matchResources: {
        readonly controlPlane?: boolean | undefined;
        readonly machineDeploymentClass?: unknown;
      };
    };
    readonly jsonPatches: readonly JsonPatch[];
  }[];
}

type Definition = ClassPatch['definitions'][number];

/**
 * The groups whose machines a variable is part of, by its name: read from the class's own patches. Infrastructure alone gives
 * none.
 */
export const variableTargets: VariableTargets = targetsByVariable({
  variables: features.flatMap(({ variables }) => variables),
  patches: features.flatMap(({ patches }) => patches),
});

/** Values that variables have where nobody gives one. */
export const variableDefaults: ReadonlyMap<string, unknown> = new Map(
  features.flatMap(({ variables }) =>
    variables.map(({ name, schema }) => [name, schema.openAPIV3Schema.default] as const),
  ),
);

/** The same of any class, e.g. one of an earlier release. */
export function targetsByVariable({ variables, patches }: VariableUse): VariableTargets {
  const targets = new Map(variables.map(({ name }) => [name, new Set<MachineGroup>()] as const));
  for (const patch of patches) {
    for (const definition of patch.definitions) {
      for (const name of variablesOf(patch, definition)) {
        for (const group of groupsOf(definition.selector)) targets.get(name)?.add(group);
      }
    }
  }
  return targets;
}

/** The groups whose templates a selector matches. */
export function groupsOf({ matchResources }: Definition['selector']): MachineGroup[] {
  const { controlPlane, machineDeploymentClass } = matchResources;
  return [
    ...(controlPlane ? (['controlPlane'] as const) : []),
    ...(machineDeploymentClass === undefined ? [] : (['workers'] as const)),
  ];
}

/** Names in the condition and in the values; a template may have others, which are fields of a variable. */
function variablesOf({ enabledIf = '' }: ClassPatch, { jsonPatches }: Definition): string[] {
  const sources = jsonPatches.flatMap((patch) => ('valueFrom' in patch ? [patch.valueFrom] : []));
  const templates = [enabledIf, ...sources.flatMap((source) => ('template' in source ? [source.template] : []))];
  const named = sources.flatMap((source) => ('variable' in source ? [source.variable.split(/[.[]/)[0] ?? ''] : []));
  return [...named, ...templates.flatMap(namesIn)];
}

/** What stands behind a dot that follows neither a name nor a bracket: `.bootVolume` of `.bootVolume.size`. */
function namesIn(template: string): string[] {
  return [...template.matchAll(/(?<![\w)\]])\.([A-Za-z]\w*)/g)].map(([, name = '']) => name);
}
