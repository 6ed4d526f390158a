import { caRotate, clusterUpdate, clusterUpgrade, credentialRotate } from '../../shared/contract/requests.ts';

export const clusterUpgradeType = 'org.openstack.magnum.cluster.upgrade.v1';
export const clusterUpdateType = 'org.openstack.magnum.cluster.update.v1';
export const caRotateType = 'org.openstack.magnum.cluster.ca.rotate.v1';
export const credentialRotateType = 'org.openstack.magnum.cluster.credential.rotate.v1';

/** The events of this function with the schemas of their data. */
export const acceptedEvents = {
  [clusterUpgradeType]: clusterUpgrade,
  [clusterUpdateType]: clusterUpdate,
  [caRotateType]: caRotate,
  [credentialRotateType]: credentialRotate,
} as const;
