import { describe, expect, test } from 'vitest';
import { rulesIn, rulesOf } from '../testing/rules-of.ts';
import { ofControlPlanes } from '../testing/tolerations.ts';
import { containerFacts, selecting, workloadFacts } from '../testing/workloads.ts';
import { snapshotDefinitions } from './snapshot-definitions.ts';
import { snapshots } from './snapshots.ts';
import { storageInput } from './testing/storage-input.ts';

const manifests = snapshots(storageInput());
const name = 'magnum-snapshot-controller';

/**
 * kubernetes-csi/external-snapshotter v8.1.0, `deploy/kubernetes/snapshot-controller/{setup,rbac}-snapshot-controller.yaml`.
 * Other than there: names of its own, so that a controller which a cluster has already stays as it is; one replica, as of the
 * drivers' controllers; control plane nodes are tolerated; nothing is allowed of snapshots of groups, which are turned off.
 */
describe('the snapshot controller', () => {
  test('is this Deployment', () => {
    const labels = { 'app.kubernetes.io/name': name };
    expect(workloadFacts(manifests, 'Deployment', name)).toEqual({
      replicas: 1,
      minReadySeconds: 35,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      ...selecting(labels),
      pod: { serviceAccountName: name, tolerations: ofControlPlanes },
    });
    expect(containerFacts(manifests, 'Deployment', name)).toEqual({
      [name]: {
        image: 'registry.k8s.io/sig-storage/snapshot-controller:v8.1.0',
        imagePullPolicy: 'IfNotPresent',
        run: '--v=5 --leader-election=true',
        env: {},
        mounts: {},
      },
    });
  });

  test('may this', () => {
    expect(rulesOf(manifests, name)).toEqual(
      rulesIn(`
        /events: create list patch update watch
        /persistentvolumeclaims: get list update watch
        /persistentvolumes: get list watch
        snapshot.storage.k8s.io/volumesnapshotclasses: get list watch
        snapshot.storage.k8s.io/volumesnapshotcontents/status: patch
        snapshot.storage.k8s.io/volumesnapshotcontents: create delete get list patch update watch
        snapshot.storage.k8s.io/volumesnapshots/status: patch update
        snapshot.storage.k8s.io/volumesnapshots: delete get list patch update watch
      `),
    );
    expect(rulesOf(manifests, name, 'Role')).toEqual(
      rulesIn('coordination.k8s.io/leases: create delete get list update watch'),
    );
  });
});

interface Definition {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly scope: string;
    readonly names: Readonly<Record<string, unknown>>;
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly subresources?: object;
      readonly schema: { readonly openAPIV3Schema: object };
    }[];
  };
}

function definitionOf(kind: string): Definition {
  const found = snapshotDefinitions().find(({ spec }) => Object(spec['names']).kind === kind);
  return found as unknown as Definition;
}

/** Every rule and requirement of a schema, by the path of what it is about. */
function checksOf(schema: object, path = ''): string[] {
  const { properties = {}, required = [], enum: values, 'x-kubernetes-validations': rules = [] } = Object(schema);
  const own = [
    ...required.map((field: string) => `${path}.${field} is required`),
    ...rules.map(({ rule }: { rule: string }) => `${path}: ${rule}`),
    ...(values === undefined ? [] : [`${path} in ${values}`]),
  ];
  return [...own, ...Object.entries<object>(properties).flatMap(([key, value]) => checksOf(value, `${path}.${key}`))];
}

/**
 * kubernetes-csi/external-snapshotter v8.1.0 and v8.6.0, `client/config/crd/snapshot.storage.k8s.io_*.yaml`, which are alike.
 * Other than there: only what the API server checks has a schema; one short name each.
 */
describe('the definition', () => {
  const once = (path: string, field: string) => `${path}: !has(oldSelf.${field}) || has(self.${field})`;

  test.each([
    [
      'VolumeSnapshot',
      'Namespaced',
      'volumesnapshots',
      814,
      [
        '.spec is required',
        '.spec.source is required',
        once('.spec.source', 'persistentVolumeClaimName'),
        once('.spec.source', 'volumeSnapshotContentName'),
        '.spec.source: has(self.persistentVolumeClaimName) != has(self.volumeSnapshotContentName)',
        '.spec.source.persistentVolumeClaimName: self == oldSelf',
        '.spec.source.volumeSnapshotContentName: self == oldSelf',
        '.spec.volumeSnapshotClassName: size(self) > 0',
      ],
    ],
    [
      'VolumeSnapshotContent',
      'Cluster',
      'volumesnapshotcontents',
      955,
      [
        '.spec is required',
        '.spec.deletionPolicy is required',
        '.spec.driver is required',
        '.spec.source is required',
        '.spec.volumeSnapshotRef is required',
        once('.spec', 'sourceVolumeMode'),
        '.spec.deletionPolicy in Delete,Retain',
        once('.spec.source', 'volumeHandle'),
        once('.spec.source', 'snapshotHandle'),
        '.spec.source: has(self.volumeHandle) != has(self.snapshotHandle)',
        '.spec.source.volumeHandle: self == oldSelf',
        '.spec.source.snapshotHandle: self == oldSelf',
        '.spec.sourceVolumeMode: self == oldSelf',
        '.spec.volumeSnapshotRef: has(self.name) && has(self.__namespace__)',
      ],
    ],
    [
      'VolumeSnapshotClass',
      'Cluster',
      'volumesnapshotclasses',
      814,
      ['.deletionPolicy is required', '.driver is required', '.deletionPolicy in Delete,Retain'],
    ],
  ])("of %s has upstream's name, rules and approval", (kind, scope, plural, change, checks) => {
    const { metadata, spec } = definitionOf(kind);
    expect(metadata).toEqual({
      name: `${plural}.snapshot.storage.k8s.io`,
      annotations: {
        'api-approved.kubernetes.io': `https://github.com/kubernetes-csi/external-snapshotter/pull/${change}`,
      },
    });
    expect(spec.scope).toBe(scope);
    expect(spec.names).toMatchObject({ plural, kind, listKind: `${kind}List`, singular: kind.toLowerCase() });
    expect(checksOf(spec.versions[0]!.schema.openAPIV3Schema)).toEqual(checks);
  });

  test.each(['VolumeSnapshot', 'VolumeSnapshotContent', 'VolumeSnapshotClass'])(
    'of %s serves v1, and keeps v1beta1 for clusters that have stored it',
    (kind) => {
      const versions = definitionOf(kind).spec.versions.map(({ name, served, storage }) => ({ name, served, storage }));
      expect(versions).toEqual([
        { name: 'v1', served: true, storage: true },
        { name: 'v1beta1', served: false, storage: false },
      ]);
    },
  );

  test.each([
    ['VolumeSnapshot', { status: {} }],
    ['VolumeSnapshotContent', { status: {} }],
    ['VolumeSnapshotClass', undefined],
  ])('of %s has the subresources that upstream has', (kind, subresources) => {
    expect(definitionOf(kind).spec.versions[0]!.subresources).toEqual(subresources);
  });
});
