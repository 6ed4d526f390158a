import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullSnapshot, sampleNodegroup, sampleSnapshot } from './sample-snapshots.ts';
import { toNodegroupIntent } from './to-nodegroup-intent.ts';

test('what a nodegroup lacks comes from the cluster, never as empty text', () => {
  expect(toNodegroupIntent(fullSnapshot(), sampleNodegroup({ node_count: 2 }))).toEqual({
    notes: [],
    intent: {
      name: 'gpu',
      role: 'gpu',
      size: { kind: 'autoscaled', minimum: 1, maximum: 4 },
      flavor: 'm1.medium',
      image: 'ubuntu-2204-kube-v1.33',
      bootVolume: { size: 50, type: 'ssd' },
      bootVolumeAvailabilityZone: 'az2',
      dockerVolume: { size: 20, type: null },
      availabilityZone: 'az2',
      imageRepository: 'registry.example.org/mirror',
      serverGroup: { policy: 'anti-affinity', differentFailureDomain: false },
      autoHealing: true,
      nodeLabels: {},
      nodeTaints: [],
    },
  });
});

test.each([
  ['container_infra_prefix', 'registry.two/x', { imageRepository: 'registry.two/x' }],
  ['auto_healing_enabled', 'false', { autoHealing: false }],
  ['auto_scaling_enabled', 'false', { size: { kind: 'fixed' } }],
  ['server_group_policies', 'affinity', { serverGroup: { policy: 'affinity' } }],
  ['different_failure_domain', 'true', { serverGroup: { differentFailureDomain: true } }],
  ['boot_volume_type', 'nvme', { bootVolume: { size: 20, type: 'nvme' } }],
  ['boot_volume_availability_zone', 'az3', { bootVolumeAvailabilityZone: 'az3', availabilityZone: 'nova' }],
  ['container_infra_prefix', '', { imageRepository: 'registry.example.org/mirror' }],
  ['server_group_policies', ' ', { serverGroup: { policy: 'anti-affinity' } }],
])('label %s=%j of the nodegroup comes first', (name, value, intent) => {
  expect(toNodegroupIntent(fullSnapshot(), sampleNodegroup({ labels: { [name]: value } }))).toMatchObject({ intent });
});

test('faults of the cluster that do not concern the nodegroup are not reported', () => {
  const snapshot = sampleSnapshot({
    labels: { kube_tag: 'x', audit_log_enabled: 'x' },
    template: { network_driver: 'x' },
  });
  expect(toNodegroupIntent(snapshot, sampleNodegroup())).toHaveProperty('notes', []);
});

test('a fault names the row whose label it is', () => {
  const snapshot = sampleSnapshot({ labels: { boot_volume_type: 'a\tb' } });
  const nodegroup = sampleNodegroup({ labels: { boot_volume_size: 'x' }, flavor_id: ['a'] });
  expect(toNodegroupIntent(snapshot, nodegroup)).toEqual({
    faults: [
      {
        code: 'invalid_field',
        field: 'nodegroups.gpu.flavor_id',
        message: 'Field flavor_id of nodegroup gpu is a list or an object instead of text.',
      },
      {
        code: 'invalid_label',
        field: 'nodegroups.gpu.labels.boot_volume_size',
        message: 'Label boot_volume_size of nodegroup gpu: "x" is not a whole number of GiB.',
      },
      {
        code: 'invalid_label',
        field: 'labels.boot_volume_type',
        message: 'Label boot_volume_type has line breaks or control characters.',
      },
    ],
  });
});

test.each([
  ['', 'Nodegroup "": the name needs lower-case letters, digits and hyphens only, with no hyphen at the ends.'],
  ['Gpu', 'Nodegroup "Gpu": the name needs lower-case letters, digits and hyphens only, with no hyphen at the ends.'],
  ['a.b', 'Nodegroup "a.b": the name needs lower-case letters, digits and hyphens only, with no hyphen at the ends.'],
  ['a_b', 'Nodegroup "a_b": the name needs lower-case letters, digits and hyphens only, with no hyphen at the ends.'],
  ['b'.repeat(35), `Nodegroup ${'b'.repeat(35)}: the name has 35 characters, at most 34 are possible.`],
  ['Ü'.repeat(255), `Nodegroup "${'Ü'.repeat(60)}…": the name has 255 characters, at most 34 are possible.`],
])('the name %j is refused', (name, message) => {
  expect(toNodegroupIntent(sampleSnapshot(), sampleNodegroup({ name }))).toMatchObject({ faults: [{ message }] });
});

test('the name of a machine of any accepted nodegroup fits 63 characters', () => {
  const names = fc.oneof(fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$/), fc.string());
  return fc.assert(
    fc.property(names, (name) => {
      const outcome = toNodegroupIntent(sampleSnapshot(), sampleNodegroup({ name }));
      const machine = `kube-21d56-${name}-abcde-0123456789`;
      expect('intent' in outcome).toBe(name.length <= 34 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name));
      if ('intent' in outcome) expect(machine.length).toBeLessThanOrEqual(63);
    }),
  );
});

test.each([
  ['gpu nodes', 'Field role of nodegroup gpu: "gpu nodes" is no value of a Kubernetes label.'],
  ['r'.repeat(64), `Field role of nodegroup gpu: "${'r'.repeat(60)}…" is no value of a Kubernetes label.`],
  ['control-plane', 'Field role of nodegroup gpu: control-plane is kept for the masters.'],
])('the role %j is refused', (role, message) => {
  expect(toNodegroupIntent(sampleSnapshot(), sampleNodegroup({ role }))).toMatchObject({ faults: [{ message }] });
});

test("a nodegroup without a role has Magnum's default", () => {
  expect(toNodegroupIntent(sampleSnapshot(), sampleNodegroup({ role: null }))).toHaveProperty('intent.role', 'worker');
});

test('the name of another nodegroup that is there cannot be taken', () => {
  const snapshot = sampleSnapshot({ more: [sampleNodegroup()] });
  expect(toNodegroupIntent(snapshot, sampleNodegroup())).toHaveProperty('intent.name', 'gpu');
  expect(toNodegroupIntent(snapshot, sampleNodegroup({ uuid: 'another' }))).toMatchObject({
    faults: [{ message: 'Nodegroup gpu: two nodegroups have this name.' }],
  });
});
