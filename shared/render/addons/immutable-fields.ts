import { isDeepStrictEqual } from 'node:util';
import { partAt } from '../../status/views/json-part.ts';

/** A field that the API server refuses to change, and what it has where nothing is said. */
interface ImmutableField {
  readonly path: readonly string[];
  readonly byDefault?: unknown;
}

const selector: ImmutableField = { path: ['spec', 'selector'] };
const roleRef: ImmutableField = { path: ['roleRef'] };

/** By the validation of Kubernetes' own kinds (`pkg/apis/<group>/validation` of k8s.io/kubernetes v1.34). */
const immutableFields: Readonly<Record<string, readonly ImmutableField[]>> = {
  StorageClass: [
    { path: ['provisioner'] },
    { path: ['parameters'], byDefault: {} },
    { path: ['reclaimPolicy'], byDefault: 'Delete' },
    { path: ['volumeBindingMode'], byDefault: 'Immediate' },
  ],
  CSIDriver: [
    { path: ['spec', 'attachRequired'], byDefault: true },
    { path: ['spec', 'fsGroupPolicy'], byDefault: 'ReadWriteOnceWithFSType' },
    { path: ['spec', 'volumeLifecycleModes'], byDefault: ['Persistent'] },
  ],
  ClusterRoleBinding: [roleRef],
  RoleBinding: [roleRef],
  DaemonSet: [selector],
  Deployment: [selector],
  Secret: [{ path: ['type'], byDefault: 'Opaque' }],
};

/** Whether a kind has fields that can only be changed by making the object anew. */
export function hasImmutableFields({ kind }: { readonly kind: string }): boolean {
  return Object.hasOwn(immutableFields, kind);
}

/** Whether the API server would refuse to turn the live object into the wanted one. */
export function needsRecreation(live: object, wanted: { readonly kind: string }): boolean {
  const fields = immutableFields[wanted.kind] ?? [];
  return fields.some(({ path, byDefault }) => {
    return !isDeepStrictEqual(partAt(live, ...path) ?? byDefault, partAt(wanted, ...path) ?? byDefault);
  });
}
