import * as z from 'zod';
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';

interface Schema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly items?: Schema | undefined;
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    default: z.unknown().optional(),
    properties: z.record(z.string(), schema).optional(),
    items: schema.optional(),
  }),
);
const clusterClass = z.object({
  spec: z.object({
    variables: z.array(z.object({ name: z.string(), schema: z.object({ openAPIV3Schema: schema }) })).default([]),
  }),
});
const variable = z.looseObject({ name: z.string(), value: z.unknown() });
const cluster = z.looseObject({
  spec: z.looseObject({ topology: z.looseObject({ variables: z.array(variable).default([]) }) }),
});

/**
 * A Cluster with the defaults of its class's variables, as Cluster API's webhook fills them in: every variable that has one, and
 * what is missing within the values that are given. Nodegroups' own values are complete as the driver renders them.
 */
export function withVariableDefaults(object: KubernetesObject, ofClass: unknown): KubernetesObject {
  const [parsed, parsedClass] = [cluster.safeParse(object), clusterClass.safeParse(ofClass)];
  if (!parsed.success || !parsedClass.success) return object;
  const { spec } = parsed.data;
  const given = new Map(spec.topology.variables.map((each) => [each.name, each]));
  for (const { name, schema: rules } of parsedClass.data.spec.variables) {
    const value = withDefaults(rules.openAPIV3Schema, given.get(name)?.value);
    if (value !== undefined) given.set(name, { ...given.get(name), name, value });
  }
  const topology = { ...spec.topology, variables: [...given.values()] };
  return { ...object, ...{ spec: { ...spec, topology } } };
}

/** Structural defaulting of OpenAPI schemas: a default where there is no value, also within values and defaults. */
function withDefaults(rules: Schema, given: unknown): unknown {
  const value = given === undefined ? rules.default : given;
  if (Array.isArray(value)) return value.map((item) => (rules.items ? withDefaults(rules.items, item) : item));
  if (typeof value !== 'object' || value === null) return value;
  const filled = Object.entries(rules.properties ?? {}).map(([key, property]) => {
    return [key, withDefaults(property, Reflect.get(value, key))] as const;
  });
  return { ...value, ...Object.fromEntries(filled.filter(([, part]) => part !== undefined)) };
}
