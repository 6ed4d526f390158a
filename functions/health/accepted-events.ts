import { healthRequested, objectReference, ping } from '../../shared/contract/requests.ts';

export const healthRequestedType = 'org.openstack.magnum.cluster.health.requested.v1';
export const pingType = 'dev.knative.sources.ping';

/** The events of this function with the schemas of their data; the table of all events would cost time at each start. */
export const acceptedEvents = {
  [healthRequestedType]: healthRequested,
  'dev.knative.apiserver.ref.add': objectReference,
  'dev.knative.apiserver.ref.update': objectReference,
  'dev.knative.apiserver.ref.delete': objectReference,
  [pingType]: ping,
} as const;
