import { zone } from '../syntax/text-format.ts';
import { countLabel, textLabel } from './label-definition.ts';

/** Volumes of the nodes. */
export const volumeLabels = {
  boot_volume_size: countLabel({
    unit: 'GiB',
    default: null,
    shownDefault: 'option `[cinder] default_boot_volume_size`, else 0',
    scope: 'nodegroup',
    meaning: 'Size of the volume that nodes boot from; 0 = they boot from the disk of the flavor.',
  }),
  boot_volume_type: textLabel({
    default: null,
    shownDefault: "option `[cinder] default_boot_volume_type`, else Cinder's default",
    scope: 'nodegroup',
    meaning: 'Cinder type of the boot volume.',
  }),
  boot_volume_availability_zone: textLabel({
    parse: zone,
    default: null,
    shownDefault: 'label `availability_zone`',
    scope: 'nodegroup',
    meaning: 'Availability zone of the boot volume.',
  }),
  etcd_volume_size: countLabel({
    unit: 'GiB',
    default: 0,
    meaning: 'Size of a volume for etcd on each master; 0 = none.',
  }),
  etcd_volume_type: textLabel({
    default: null,
    shownDefault: "Cinder's default",
    meaning: 'Cinder type of the etcd volume.',
  }),
  docker_volume_type: textLabel({
    default: null,
    shownDefault: "Cinder's default",
    meaning: 'Cinder type of the volume for containers, whose size is the field `docker_volume_size`.',
  }),
};
