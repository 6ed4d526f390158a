/** What every object that is rendered has; the other fields are those of its kind. */
export interface RenderedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
}

export interface ObjectMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Values are base64: the API server merges `stringData` into `data` and forgets who owned it, so it is never used. */
export interface Secret extends RenderedObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

/** Anything that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
