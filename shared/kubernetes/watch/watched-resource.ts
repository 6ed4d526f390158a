/** Selects objects by their labels, as Kubernetes writes it. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly {
        readonly key: string;
        readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
        readonly values?: readonly string[] | undefined;
      }[]
    | undefined;
}

/** A kind of object whose changes are to be told. */
export interface WatchedResource {
  readonly apiVersion: string;
  readonly kind: string;
  /** @default all objects of the kind */
  readonly selector?: LabelSelector | undefined;
}

/** What a watch says about an object. */
export type Change = 'ADDED' | 'MODIFIED' | 'DELETED';

/** An object as far as its reference tells. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** `''` for an object of the whole cluster. */
  readonly namespace: string;
}
