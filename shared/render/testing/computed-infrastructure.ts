import type { JsonPatch } from '../cluster-class/feature.ts';
import { features } from '../cluster-class/features.ts';
import { spec } from '../cluster-class/paths.ts';
import { infrastructureCluster } from '../cluster-class/selectors.ts';
import { openStackClusterTemplate } from '../cluster-class/templates.ts';
import type { VariableValue } from '../variable-value.ts';

type Values = ReadonlyMap<string, unknown>;

/**
 * The spec of the OpenStackCluster that the class makes of variables: the patches of that template, applied by as much of the patch
 * engine as they need. test/render has the real engine.
 */
export function computedInfrastructure(variables: readonly VariableValue[]): Record<string, unknown> {
  const values: Values = new Map([
    ...features.flatMap((feature) =>
      feature.variables.map(({ name, schema }) => [name, schema.openAPIV3Schema.default] as const),
    ),
    ...variables.map(({ name, value }) => [name, value] as const),
  ]);
  const computed: Record<string, unknown> = { ...Object(openStackClusterTemplate.spec) };
  for (const patch of jsonPatches(values)) {
    const [field = '', key, ...deeper] = patch.path.slice(spec.length + 1).split('/');
    if (!('valueFrom' in patch) || deeper.length > 0) throw new Error(`${patch.path} is not foreseen.`);
    const value = patchValue(patch.valueFrom, values);
    computed[field] = key === undefined ? value : { ...Object(computed[field]), [key]: value };
  }
  return computed;
}

/** The patches of the template that apply. */
function jsonPatches(values: Values): readonly JsonPatch[] {
  return features
    .flatMap(({ patches }) => patches)
    .filter(({ definitions }) => definitions.some(({ selector }) => selector === infrastructureCluster))
    .filter(({ enabledIf }) => enabledIf === undefined || holds(enabledIf.slice(2, -2).trim(), values))
    .flatMap(({ definitions }) => definitions.filter(({ selector }) => selector === infrastructureCluster))
    .flatMap((definition) => definition.jsonPatches);
}

function patchValue(source: { readonly variable: string } | { readonly template: string }, values: Values): unknown {
  return 'variable' in source ? values.get(source.variable) : JSON.parse(filled(source.template, values));
}

/** The conditions that these patches have. */
function holds(condition: string, values: Values): boolean {
  const [, comparison, joined, plain, text] =
    /^(?:(eq|ne) (?:\(join "" \.(\w+)\)|\.(\w+)) "([^"]*)")$/.exec(condition) ?? [];
  if (comparison === undefined) {
    if (!/^\.\w+$/.test(condition)) throw new Error(`The condition ${condition} is not foreseen.`);
    return values.get(condition.slice(1)) === true;
  }
  const value = joined === undefined ? values.get(plain ?? '') : listOf(values.get(joined)).join('');
  return (value === text) === (comparison === 'eq');
}

function filled(template: string, values: Values): string {
  return template
    .replace(/\{\{ if (.*?) \}\}(.*?)\{\{ end \}\}/g, (_, condition, inner) => (holds(condition, values) ? inner : ''))
    .replace(/\{\{ \.(\w+)((?: \| \w+)*) \| toJson \}\}/g, (_, name, pipeline: string) => {
      const steps = pipeline.split(' | ').slice(1);
      const value = steps.reduce(applied, values.get(name));
      return JSON.stringify(value);
    });
}

function applied(value: unknown, step: string): unknown {
  if (step === 'compact') return listOf(value).filter((item) => item !== '');
  if (step === 'uniq') return [...new Set(listOf(value))];
  throw new Error(`The function ${step} is not foreseen.`);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
