import { eventTypes } from '../../shared/contract/event-types.ts';

export const clusterCreateType = 'org.openstack.magnum.cluster.create.v1';
export const nodegroupCreateType = 'org.openstack.magnum.nodegroup.create.v1';

/** The events of this function with the schemas of their data. */
export const acceptedEvents = {
  [clusterCreateType]: eventTypes[clusterCreateType].schema,
  [nodegroupCreateType]: eventTypes[nodegroupCreateType].schema,
} as const;
