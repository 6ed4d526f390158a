import { pluralOf } from '../../../kubernetes/plural-of.ts';
import type { Manifest, ManifestMetadata } from '../manifest.ts';
import { object, type Schema } from './schema.ts';

/** What sets one definition apart from the others. */
export interface DefinitionRow {
  readonly group: string;
  /** The only one, which is served and stored. */
  readonly version: string;
  readonly kind: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly annotations?: Readonly<Record<string, string>>;
  readonly shortName?: string;
  /** Whether the status is written by itself. */
  readonly hasStatus?: boolean;
  readonly columns?: readonly Column[];
  /** Of the whole object. @default nothing is said of it */
  readonly schema?: Schema;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

export interface CustomResourceDefinition extends Manifest {
  readonly spec: Readonly<Record<string, unknown>> & { readonly versions: readonly unknown[] };
}

export function customResourceDefinition(row: DefinitionRow): CustomResourceDefinition {
  const { group, version, kind, scope, annotations, shortName, hasStatus = false, columns, schema = object({}) } = row;
  const singular = kind.toLowerCase();
  const plural = pluralOf(singular);
  const name = `${plural}.${group}`;
  const metadata: ManifestMetadata = annotations === undefined ? { name } : { name, annotations };
  const shortNames = shortName === undefined ? {} : { shortNames: [shortName] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata,
    spec: {
      group,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular, ...shortNames },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(hasStatus ? { subresources: { status: {} } } : {}),
          ...(columns === undefined ? {} : { additionalPrinterColumns: columns }),
        },
      ],
    },
  };
}
