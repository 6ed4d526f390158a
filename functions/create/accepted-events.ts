import { clusterCreate, nodegroupCreate } from '../../shared/contract/requests.ts';

export const clusterCreateType = 'org.openstack.magnum.cluster.create.v1';
export const nodegroupCreateType = 'org.openstack.magnum.nodegroup.create.v1';

/** The events of this function with the schemas of their data; the table of all events would cost time at each start. */
export const acceptedEvents = {
  [clusterCreateType]: clusterCreate,
  [nodegroupCreateType]: nodegroupCreate,
} as const;
