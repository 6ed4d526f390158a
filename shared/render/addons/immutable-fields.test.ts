import { describe, expect, test } from 'vitest';
import { hasImmutableFields, needsRecreation } from './immutable-fields.ts';

const storageClass = {
  kind: 'StorageClass',
  provisioner: 'cinder.csi.openstack.org',
  parameters: { type: 'ssd' },
  volumeBindingMode: 'WaitForFirstConsumer',
};
const daemonSet = { kind: 'DaemonSet', spec: { selector: { matchLabels: { app: 'a' } }, template: {} } };
const binding = { kind: 'ClusterRoleBinding', roleRef: { apiGroup: 'g', kind: 'ClusterRole', name: 'a' } };
const driver = { kind: 'CSIDriver', spec: { attachRequired: true, podInfoOnMount: true } };

describe('an object has to be made anew', () => {
  test.each([
    ['a StorageClass that binds at once', storageClass, { ...storageClass, volumeBindingMode: undefined }],
    ['a StorageClass of another type', storageClass, { ...storageClass, parameters: { type: 'hdd' } }],
    ['a StorageClass that retains', storageClass, { ...storageClass, reclaimPolicy: 'Retain' }],
    ['a DaemonSet of other pods', daemonSet, { ...daemonSet, spec: { selector: { matchLabels: { app: 'b' } } } }],
    ['a binding of another role', binding, { ...binding, roleRef: { ...binding.roleRef, name: 'b' } }],
    ['a driver that need not attach', driver, { ...driver, spec: { attachRequired: false } }],
    ['a Secret of another type', { kind: 'Secret' }, { kind: 'Secret', type: 'kubernetes.io/tls' }],
  ])('where it is %s', (_what, wanted, live) => {
    expect(needsRecreation(live, wanted)).toBe(true);
    expect(needsRecreation(wanted, wanted)).toBe(false);
  });
});

test.each([
  [
    'what the API server fills in',
    storageClass,
    { ...storageClass, reclaimPolicy: 'Delete', allowVolumeExpansion: false },
  ],
  [
    'a default that is written',
    driver,
    { ...driver, spec: { attachRequired: true, volumeLifecycleModes: ['Persistent'] } },
  ],
  ['another pod template', daemonSet, { ...daemonSet, spec: { ...daemonSet.spec, template: { spec: {} } } }],
  ['a kind without such fields', { kind: 'ConfigMap', data: { a: '1' } }, { kind: 'ConfigMap', data: {} }],
])('%s is changed in place', (_what, wanted, live) => {
  expect(needsRecreation(live, wanted)).toBe(false);
});

test('only the kinds that have such fields are looked up', () => {
  const kinds = ['StorageClass', 'CSIDriver', 'DaemonSet', 'ConfigMap', 'toString'];
  expect(kinds.filter((kind) => hasImmutableFields({ kind }))).toEqual(['StorageClass', 'CSIDriver', 'DaemonSet']);
});
