import { imageTag, zone } from '../syntax/text-format.ts';
import { booleanLabel, textLabel } from './label-definition.ts';

function tagLabel(tag: string, meaning: string) {
  return textLabel({ type: 'image tag', parse: imageTag, default: tag, meaning });
}

/** Storage drivers in the cluster. */
export const storageLabels = {
  cinder_csi_enabled: booleanLabel({
    default: true,
    meaning: 'Whether the Cinder CSI driver is installed, where the cloud has Cinder.',
  }),
  cinder_csi_plugin_tag: tagLabel('v1.32.0', 'Image tag of the Cinder CSI driver.'),
  cinder_csi_availability_zone: textLabel({
    parse: zone,
    default: null,
    shownDefault: "the zone of the pod's node",
    meaning:
      'Zone of all volumes of pods, for clouds whose volumes and nodes have different zones; any node may use them.',
  }),
  manila_csi_enabled: booleanLabel({
    default: true,
    meaning: 'Whether the Manila and NFS CSI drivers are installed, where the cloud has Manila.',
  }),
  manila_csi_plugin_tag: tagLabel('v1.32.0', 'Image tag of the Manila CSI driver.'),
  manila_csi_share_network_id: textLabel({
    default: null,
    meaning: 'Manila share network; with it each share type gets a StorageClass.',
  }),
  csi_attacher_tag: tagLabel('v4.7.0', 'Image tag of the CSI attacher.'),
  csi_liveness_probe_tag: tagLabel('v2.14.0', 'Image tag of the CSI liveness probe.'),
  csi_node_driver_registrar_tag: tagLabel('v2.12.0', 'Image tag of the CSI node driver registrar.'),
  csi_provisioner_tag: tagLabel('v5.1.0', 'Image tag of the CSI provisioner.'),
  csi_resizer_tag: tagLabel('v1.12.0', 'Image tag of the CSI resizer.'),
  csi_snapshotter_tag: tagLabel('v8.1.0', 'Image tag of the CSI snapshotter.'),
};
