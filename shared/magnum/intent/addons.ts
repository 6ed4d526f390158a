import type { AddonIntent } from '../cluster-intent.ts';
import type { LabelReader } from '../reading/label-reader.ts';

export function addonIntent(labels: LabelReader): AddonIntent {
  return {
    hubbleUi: labels.read('cilium_hubble_ui_enabled'),
    cloudProviderTag: labels.read('cloud_provider_tag'),
    cinderCsi: {
      enabled: labels.read('cinder_csi_enabled'),
      pluginTag: labels.read('cinder_csi_plugin_tag'),
      availabilityZone: labels.read('cinder_csi_availability_zone'),
    },
    manilaCsi: {
      enabled: labels.read('manila_csi_enabled'),
      pluginTag: labels.read('manila_csi_plugin_tag'),
      shareNetworkId: labels.read('manila_csi_share_network_id'),
    },
    csiSidecarTags: {
      attacher: labels.read('csi_attacher_tag'),
      livenessProbe: labels.read('csi_liveness_probe_tag'),
      nodeDriverRegistrar: labels.read('csi_node_driver_registrar_tag'),
      provisioner: labels.read('csi_provisioner_tag'),
      resizer: labels.read('csi_resizer_tag'),
      snapshotter: labels.read('csi_snapshotter_tag'),
    },
  };
}
