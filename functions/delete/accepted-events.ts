import { clusterDelete, nodegroupDelete } from '../../shared/contract/requests.ts';

export const clusterDeleteType = 'org.openstack.magnum.cluster.delete.v1';
export const nodegroupDeleteType = 'org.openstack.magnum.nodegroup.delete.v1';

/** The events of this function with the schemas of their data. */
export const acceptedEvents = {
  [clusterDeleteType]: clusterDelete,
  [nodegroupDeleteType]: nodegroupDelete,
} as const;
