import { describe, expect, test } from 'vitest';
import { blockDevice, dockerDisk, expectDisks } from './disks.ts';
import { exampleIntent, exampleNodegroup, ids } from './example-intent.ts';
import { computeAll } from './topology-stage.ts';

const etcdVolume = { size: 10, type: '1e3' };
const dockerVolume = { size: 20, type: 'yes' };
const bootVolume = { size: 25, type: 'null' };

const computed = computeAll({
  plain: {},
  'boot volume': {
    intent: {
      bootVolume,
      bootVolumeAvailabilityZone: 'az1',
      keypair: 'my "key": #1',
      controlPlane: {
        ...exampleIntent().controlPlane,
        serverGroup: { policy: 'anti-affinity', differentFailureDomain: true },
      },
      workers: [
        exampleNodegroup({ bootVolume, bootVolumeAvailabilityZone: 'az1' }),
        exampleNodegroup({
          name: 'own',
          bootVolume: { size: 1_000_000, type: 'fast' },
          bootVolumeAvailabilityZone: 'az2',
        }),
        exampleNodegroup({ name: 'bare' }),
      ],
    },
  },
  'volumes in a zone': {
    intent: {
      availabilityZone: 'az1',
      etcdVolume,
      dockerVolume,
      workers: [
        exampleNodegroup({ availabilityZone: 'az1', dockerVolume }),
        exampleNodegroup({
          name: 'scsi',
          image: 'ubuntu-gpu',
          availabilityZone: 'az2',
          dockerVolume: { size: 7, type: '7' },
        }),
        exampleNodegroup({ name: 'without', availabilityZone: 'az1' }),
      ],
    },
  },
});

describe('a nodegroup with a docker volume of its own', () => {
  test('has it in its own zone, on the disk that its own image names', () => {
    const { controlPlane, nodegroups } = computed('volumes in a zone');
    expect(controlPlane.machine['additionalBlockDevices']).toEqual([
      blockDevice('etcd', etcdVolume, 'az1'),
      blockDevice('docker', dockerVolume, 'az1'),
    ]);
    expect(nodegroups['default-worker']?.machine['additionalBlockDevices']).toEqual([
      blockDevice('docker', dockerVolume, 'az1'),
    ]);
    expect(nodegroups['scsi']?.machine['additionalBlockDevices']).toEqual([
      blockDevice('docker', { size: 7, type: '7' }, 'az2'),
    ]);
    expectDisks(nodegroups['scsi']!, 'ubuntu', [dockerDisk('/dev/sdb')]);
  });

  test('has none where it wants none', () => {
    const without = computed('volumes in a zone').nodegroups['without']!;
    expect(without.machine).not.toHaveProperty('additionalBlockDevices');
    expectDisks(without, 'ubuntu', []);
  });
});

describe('a machine', () => {
  const plain = () => computed('plain');
  const special = () => computed('boot volume');
  const zone = (name: string) => ({ availabilityZone: { name, from: 'Name' } });
  const hint = [{ name: 'different_failure_domain', value: { type: 'Bool', bool: true } }];

  test.each<[string, () => unknown, unknown]>([
    ['flavor of the control plane', () => plain().controlPlane.machine['flavor'], 'm1.medium'],
    ['flavor of workers', () => plain().nodegroups['default-worker']?.machine['flavor'], 'm1.large'],
    ['image', () => plain().controlPlane.machine['image'], { id: ids.ubuntuImage }],
    ['own image', () => computed('volumes in a zone').nodegroups['scsi']?.machine['image'], { id: ids.gpuImage }],
    ['no key pair', () => plain().controlPlane.machine['sshKeyName'], undefined],
    ['key pair', () => special().controlPlane.machine['sshKeyName'], 'my "key": #1'],
    ['key pair of workers', () => special().nodegroups['own']?.machine['sshKeyName'], 'my "key": #1'],
    ['no boot volume', () => plain().controlPlane.machine['rootVolume'], undefined],
    ['boot volume', () => special().controlPlane.machine['rootVolume'], { sizeGiB: 25, type: 'null', ...zone('az1') }],
    [
      "nodegroup's own boot volume",
      () => special().nodegroups['own']?.machine['rootVolume'],
      { sizeGiB: 1_000_000, type: 'fast', ...zone('az2') },
    ],
    ['no boot volume in one nodegroup', () => special().nodegroups['bare']?.machine['rootVolume'], undefined],
    ['server group', () => plain().controlPlane.machine['serverGroup'], { id: ids.controlPlaneGroup }],
    [
      'server group of workers',
      () => plain().nodegroups['default-worker']?.machine['serverGroup'],
      { id: ids.workerGroup },
    ],
    ['no scheduler hint', () => plain().controlPlane.machine['schedulerHintAdditionalProperties'], undefined],
    ['scheduler hint', () => special().controlPlane.machine['schedulerHintAdditionalProperties'], hint],
    [
      'no scheduler hint in a nodegroup',
      () => special().nodegroups['own']?.machine['schedulerHintAdditionalProperties'],
      undefined,
    ],
    [
      'identity',
      () => plain().controlPlane.machine['identityRef'],
      { name: expect.stringMatching(/-cloud-config$/), cloudName: 'default', type: 'Secret' },
    ],
    [
      'failure domain of workers',
      () => computed('volumes in a zone').nodegroups['scsi']?.deployment,
      expect.objectContaining({
        template: expect.objectContaining({ spec: expect.objectContaining({ failureDomain: 'az2' }) }),
      }),
    ],
  ])('has this %s', (_what, value, expected) => {
    expect(value()).toEqual(expected);
  });
});
