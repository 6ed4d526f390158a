import type { V1ObjectMeta } from '@kubernetes/client-node';

/** A type of `@kubernetes/client-node` as its JSON stands on the wire, where every `Date` is a string. */
export type Wire<T> = T extends Date ? string : T extends object ? { [Key in keyof T]: Wire<T[Key]> } : T;

export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: Wire<V1ObjectMeta>;
}

/** An object of a custom resource; whoever reads its spec or status parses it. */
export interface CustomObject extends KubernetesObject {
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** One operation of a JSON Patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };
