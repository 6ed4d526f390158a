import type { Feature, Patch } from './feature.ts';
import { addTemplate, remove } from './json-patch.ts';
import { kubeadm, spec } from './paths.ts';
import { controlPlane, controlPlaneMachines, workerMachines, workers } from './selectors.ts';
import { expression, type Template, when } from './template.ts';
import { optional, optionalSwitch, optionalText } from './variable.ts';

/** A volume beside the root disk, made and deleted with its machine. */
interface ExtraVolume {
  readonly name: 'etcd' | 'docker';
  readonly mountPath: string;
}

const etcd: ExtraVolume = { name: 'etcd', mountPath: '/var/lib/etcd' };
const docker: ExtraVolume = { name: 'docker', mountPath: '/var/lib/containerd' };

/** Kernel names of the disks after the root disk, in the order in which CAPO attaches them. */
const deviceLetters = ['b', 'c'];

const isFlatcar = 'eq .operatingSystem "flatcar"';

export const volumes: Feature = {
  variables: [
    optionalSwitch('enableEtcdVolume', 'Whether control plane machines get a volume for etcd.'),
    sizeVariable('etcdVolumeSize', "GiB of etcd's volume."),
    optionalText('etcdVolumeType', "Type of etcd's volume."),
    optionalSwitch('enableDockerVolume', 'Whether machines get a volume for containers and images.'),
    sizeVariable('dockerVolumeSize', 'GiB of the volume for containers and images.'),
    optionalText('dockerVolumeType', 'Type of the volume for containers and images.'),
    optionalText('availabilityZone', "Zone of both volumes; '' is CAPO's choice."),
    optionalText(
      'hardwareDiskBus',
      "Glance's hw_disk_bus of the image; `scsi` names the disks /dev/sdX, else /dev/vdX.",
    ),
  ],
  patches: [
    controlPlanePatch('etcdVolume', '{{ and .enableEtcdVolume (not .enableDockerVolume) }}', [etcd]),
    controlPlanePatch('dockerVolume', '{{ and .enableDockerVolume (not .enableEtcdVolume) }}', [docker]),
    controlPlanePatch('etcdAndDockerVolume', '{{ and .enableEtcdVolume .enableDockerVolume }}', [etcd, docker]),
    {
      name: 'workerDockerVolume',
      enabledIf: '{{ .enableDockerVolume }}',
      definitions: [
        { selector: workerMachines, jsonPatches: blockDevices([docker]) },
        { selector: workers, jsonPatches: diskSetup(spec, [docker]) },
      ],
    },
    // Ignition makes the file system on the whole disk, which must not hold a partition table then.
    {
      name: 'flatcarControlPlaneVolumes',
      enabledIf: `{{ and (${isFlatcar}) (or .enableEtcdVolume .enableDockerVolume) }}`,
      definitions: [{ selector: controlPlane, jsonPatches: [remove(`${kubeadm}/diskSetup/partitions`)] }],
    },
    {
      name: 'flatcarWorkerVolumes',
      enabledIf: `{{ and (${isFlatcar}) .enableDockerVolume }}`,
      definitions: [{ selector: workers, jsonPatches: [remove(`${spec}/diskSetup/partitions`)] }],
    },
  ],
};

function sizeVariable(name: string, description: string) {
  return optional(name, { type: 'integer', description, minimum: 0, default: 0 });
}

/** Whole values for one combination of volumes: v1beta2 refuses the empty lists to which single volumes could be appended. */
function controlPlanePatch(name: string, enabledIf: string, extraVolumes: readonly ExtraVolume[]): Patch {
  return {
    name,
    enabledIf,
    definitions: [
      { selector: controlPlaneMachines, jsonPatches: blockDevices(extraVolumes) },
      { selector: controlPlane, jsonPatches: diskSetup(kubeadm, extraVolumes) },
    ],
  };
}

function blockDevices(extraVolumes: readonly ExtraVolume[]) {
  return [addTemplate(`${spec}/additionalBlockDevices`, extraVolumes.map(blockDevice))];
}

function blockDevice({ name }: ExtraVolume): Template {
  return {
    name,
    sizeGiB: expression(`.${name}VolumeSize`),
    storage: {
      type: 'Volume',
      volume: {
        type: expression(`.${name}VolumeType`),
        availabilityZone: when('ne .availabilityZone ""', { name: expression('.availabilityZone') }),
      },
    },
  };
}

function diskSetup(root: string, extraVolumes: readonly ExtraVolume[]) {
  return [
    addTemplate(`${root}/diskSetup`, {
      partitions: extraVolumes.map((_, index) => ({
        device: device(index),
        layout: true,
        overwrite: false,
        tableType: 'gpt',
      })),
      filesystems: extraVolumes.map((volume, index) => ({
        device: device(index),
        filesystem: 'ext4',
        label: label(volume),
        // Ignition's transpiler fails on a file system that does not say whether it may be overwritten.
        overwrite: false,
        extraOpts: ['-F', '-E', 'lazy_itable_init=1,lazy_journal_init=1'],
      })),
    }),
    addTemplate(
      `${root}/mounts`,
      extraVolumes.map((volume) => [mountSource(volume), volume.mountPath]),
    ),
  ];
}

/** Where the nth disk after the root disk stands. */
function device(index: number) {
  return expression(`printf "/dev/%s${deviceLetters[index]}" (ternary "sd" "vd" (eq .hardwareDiskBus "scsi"))`);
}

function label({ name }: ExtraVolume): string {
  return `${name}_disk`;
}

/** cloud-init takes what fstab takes; Ignition looks the bare label up among its file systems. */
function mountSource(volume: ExtraVolume) {
  return expression(`printf "%s${label(volume)}" (ternary "" "LABEL=" (${isFlatcar}))`);
}
