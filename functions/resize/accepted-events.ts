import { clusterResize, nodegroupUpdate } from '../../shared/contract/requests.ts';

export const clusterResizeType = 'org.openstack.magnum.cluster.resize.v1';
export const nodegroupUpdateType = 'org.openstack.magnum.nodegroup.update.v1';

/** The events of this function with the schemas of their data. */
export const acceptedEvents = {
  [clusterResizeType]: clusterResize,
  [nodegroupUpdateType]: nodegroupUpdate,
} as const;
