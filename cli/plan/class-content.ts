import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { isSameContent, type VariableRules } from '../../functions/upgrade/rebuilt-machines.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import {
  type ClassPatch,
  groupsOf,
  type MachineGroup,
  targetsByVariable,
} from '../../shared/render/cluster-class/variable-targets.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { partAt, textAt } from '../../shared/status/views/json-part.ts';

/** What of a class is part of machines. */
export interface ClassContent {
  readonly name: string;
  readonly rules: VariableRules;
  /** Templates and patches of a group's machines, in no particular form: the same content is the same machines. */
  readonly machines: Readonly<Record<MachineGroup, unknown>>;
}

const source = z.union([z.looseObject({ variable: z.string() }), z.looseObject({ template: z.string() })]);
const selector = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  matchResources: z.object({
    controlPlane: z.boolean().optional(),
    machineDeploymentClass: z.object({ names: z.array(z.string()).default([]) }).optional(),
  }),
});
const jsonPatch = z.union([
  z.object({ op: z.enum(['add', 'replace']), path: z.string(), valueFrom: source }),
  z.object({ op: z.enum(['add', 'replace']), path: z.string(), value: z.json() }),
  z.object({ op: z.literal('remove'), path: z.string() }),
]);
const classSpec = z.object({
  variables: z
    .array(
      z.object({
        name: z.string(),
        schema: z.object({ openAPIV3Schema: z.looseObject({ default: z.unknown().optional() }) }),
      }),
    )
    .default([]),
  patches: z
    .array(
      z.object({
        name: z.string(),
        enabledIf: z.string().optional(),
        definitions: z.array(z.object({ selector, jsonPatches: z.array(jsonPatch) })).default([]),
      }),
    )
    .default([]),
});

/** A class as it lives or would be written; null where there is none, or none that can be read. */
export async function readClassContent(client: KubernetesClient, name: string): Promise<ClassContent | null> {
  const found = await client.find(resources.clusterClass, { namespace, name });
  const parsed = classSpec.safeParse(found?.spec);
  if (!parsed.success) return null;
  const { variables, patches } = parsed.data;
  const defaults = variables.map(({ name, schema }) => [name, schema.openAPIV3Schema.default] as const);
  const [controlPlane, workers] = await Promise.all([
    machineTemplates(client, partAt(found, 'spec', 'controlPlane')),
    machineTemplates(client, partAt(found, 'spec', 'workers', 'machineDeployments', '0')),
  ]);
  return {
    name,
    rules: { targets: targetsByVariable({ variables, patches }), defaults: new Map(defaults) },
    machines: {
      controlPlane: { templates: controlPlane, patches: patchesOf('controlPlane', patches) },
      workers: { templates: workers, patches: patchesOf('workers', patches) },
    },
  };
}

/** Whether the machines of a group are the same by both classes, whatever their variables. */
export function hasSameMachines(group: MachineGroup, one: ClassContent | null, other: ClassContent | null): boolean {
  if (one === null || other === null) return false;
  return isSameContent(one.name, other.name) || isDeepStrictEqual(one.machines[group], other.machines[group]);
}

const templateTypes: readonly ResourceType[] = [
  resources.kubeadmControlPlaneTemplate,
  resources.kubeadmConfigTemplate,
  resources.openStackMachineTemplate,
];

/** The specs of the templates that a part of a class refers to. */
function machineTemplates(client: KubernetesClient, part: unknown): Promise<unknown[]> {
  const references = ['', 'bootstrap', 'infrastructure', 'machineInfrastructure'].map((key) =>
    partAt(part, ...(key === '' ? [] : [key]), 'templateRef'),
  );
  return Promise.all(
    references.map(async (reference) => {
      const type = templateTypes.find(({ kind }) => kind === textAt(reference, 'kind'));
      const name = textAt(reference, 'name');
      if (type === undefined || name === null) return null;
      return (await client.find(type, { namespace, name }))?.spec ?? null;
    }),
  );
}

function patchesOf(group: MachineGroup, patches: readonly ClassPatch[]): unknown[] {
  return patches.flatMap(({ enabledIf, definitions }) => {
    const own = definitions.filter((definition) => groupsOf(definition.selector).includes(group));
    return own.length === 0 ? [] : [{ enabledIf, own }];
  });
}
