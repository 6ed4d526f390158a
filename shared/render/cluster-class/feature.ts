import type { Json } from '../rendered-object.ts';

/** The part of a JSON schema that Cluster API allows for a variable and that is used here. */
export interface Schema {
  readonly type: 'string' | 'boolean' | 'integer' | 'array' | 'object';
  readonly description?: string;
  readonly default?: Json;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  /** CEL rules over `self`. */
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string; readonly message: string }[];
}

/** A variable of the ClusterClass (cluster.x-k8s.io/v1beta2). */
export interface Variable {
  readonly name: string;
  readonly required: boolean;
  readonly schema: { readonly openAPIV3Schema: Schema };
}

/** Which template a definition patches; apiVersion must equal the template's as text. */
export interface Selector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly matchResources: {
    readonly controlPlane?: true;
    readonly infrastructureCluster?: true;
    readonly machineDeploymentClass?: { readonly names: readonly string[] };
  };
}

type ValueSource = { readonly variable: string } | { readonly template: string };

export type JsonPatch =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly valueFrom: ValueSource }
  | { readonly op: 'remove'; readonly path: string };

export interface PatchDefinition {
  readonly selector: Selector;
  readonly jsonPatches: readonly JsonPatch[];
}

/** A patch of the ClusterClass. It applies when `enabledIf`, a Go template, renders exactly `true`. */
export interface Patch {
  readonly name: string;
  readonly enabledIf?: string;
  readonly definitions: readonly PatchDefinition[];
}

/** One capability of the class: the variables that drive it and the patches that carry it out. */
export interface Feature {
  readonly variables: readonly Variable[];
  readonly patches: readonly Patch[];
}
