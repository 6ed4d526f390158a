import { checked, invalid } from '../custom-resources/checks.ts';
import {
  type CustomResourceDefinition,
  customResourceDefinition,
  type DefinitionRow,
} from '../custom-resources/custom-resource-definition.ts';
import { anything, object, oneOf, type Schema, text } from '../custom-resources/schema.ts';

export const snapshotGroup = 'snapshot.storage.k8s.io';

function fixedText(name: string): Schema {
  return checked(text, invalid('self == oldSelf', `${name} is immutable`));
}

function staysOnceSet(name: string) {
  return invalid(`!has(oldSelf.${name}) || has(self.${name})`, `${name} is required once set`);
}

/** One of two texts, for ever the same. */
function fixedSource(first: string, second: string): Schema {
  return checked(
    object({ [first]: fixedText(first), [second]: fixedText(second) }),
    staysOnceSet(first),
    staysOnceSet(second),
    invalid(`has(self.${first}) != has(self.${second})`, `exactly one of ${first} and ${second} must be set`),
  );
}

const policy = oneOf('Delete', 'Retain');

const snapshotSpec = object(
  {
    source: fixedSource('persistentVolumeClaimName', 'volumeSnapshotContentName'),
    volumeSnapshotClassName: checked(
      text,
      invalid('size(self) > 0', 'volumeSnapshotClassName must not be the empty string when set'),
    ),
  },
  ['source'],
);

const contentSpec = checked(
  object(
    {
      deletionPolicy: policy,
      driver: text,
      source: fixedSource('volumeHandle', 'snapshotHandle'),
      sourceVolumeMode: fixedText('sourceVolumeMode'),
      volumeSnapshotRef: checked(
        object({ name: text, namespace: text }),
        invalid(
          'has(self.name) && has(self.__namespace__)',
          'both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set',
        ),
      ),
    },
    ['deletionPolicy', 'driver', 'source', 'volumeSnapshotRef'],
  ),
  staysOnceSet('sourceVolumeMode'),
);

type Column = readonly [name: string, jsonPath: string, type?: 'boolean' | 'date' | 'integer'];

const age: Column = ['Age', '.metadata.creationTimestamp', 'date'];

/** What `kubectl get` shows; text, where no type stands behind. */
function columns(...rows: readonly Column[]) {
  return [...rows, age].map(([name, jsonPath, type = 'string']) => ({ name, jsonPath, type }));
}

/** Kubernetes refuses a group of its own without the change in which its API reviewers approved it. */
function approvedIn(change: number) {
  return {
    'api-approved.kubernetes.io': `https://github.com/kubernetes-csi/external-snapshotter/pull/${change}`,
  };
}

const rows: readonly Omit<DefinitionRow, 'group' | 'version'>[] = [
  {
    kind: 'VolumeSnapshot',
    shortName: 'vs',
    scope: 'Namespaced',
    annotations: approvedIn(814),
    hasStatus: true,
    schema: object({ spec: snapshotSpec, status: anything }, ['spec']),
    columns: columns(
      ['ReadyToUse', '.status.readyToUse', 'boolean'],
      ['SourcePVC', '.spec.source.persistentVolumeClaimName'],
      ['SourceSnapshotContent', '.spec.source.volumeSnapshotContentName'],
      ['RestoreSize', '.status.restoreSize'],
      ['SnapshotClass', '.spec.volumeSnapshotClassName'],
      ['SnapshotContent', '.status.boundVolumeSnapshotContentName'],
      ['CreationTime', '.status.creationTime', 'date'],
    ),
  },
  {
    kind: 'VolumeSnapshotContent',
    shortName: 'vsc',
    scope: 'Cluster',
    annotations: approvedIn(955),
    hasStatus: true,
    schema: object({ spec: contentSpec, status: anything }, ['spec']),
    columns: columns(
      ['ReadyToUse', '.status.readyToUse', 'boolean'],
      ['RestoreSize', '.status.restoreSize', 'integer'],
      ['DeletionPolicy', '.spec.deletionPolicy'],
      ['Driver', '.spec.driver'],
      ['VolumeSnapshotClass', '.spec.volumeSnapshotClassName'],
      ['VolumeSnapshot', '.spec.volumeSnapshotRef.name'],
      ['VolumeSnapshotNamespace', '.spec.volumeSnapshotRef.namespace'],
    ),
  },
  {
    kind: 'VolumeSnapshotClass',
    shortName: 'vsclass',
    scope: 'Cluster',
    annotations: approvedIn(814),
    schema: object({ driver: text, deletionPolicy: policy }, ['deletionPolicy', 'driver']),
    columns: columns(['Driver', '.driver'], ['DeletionPolicy', '.deletionPolicy']),
  },
];

/** Not served, but where a cluster has had snapshots for long, the API server refuses a definition that lacks it. */
const formerVersion = {
  name: 'v1beta1',
  served: false,
  storage: false,
  schema: { openAPIV3Schema: anything },
};

/**
 * The definitions of volume snapshots. Where a cluster has them already, these take their place: they serve the same version
 * with upstream's rules (external-snapshotter v8, `client/config/crd`).
 */
export function snapshotDefinitions(): readonly CustomResourceDefinition[] {
  return rows.map((row) => {
    const definition = customResourceDefinition({ ...row, group: snapshotGroup, version: 'v1' });
    const { spec } = definition;
    return { ...definition, spec: { ...spec, versions: [...spec.versions, formerVersion] } };
  });
}
