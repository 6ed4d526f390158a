import { objectReference, ping, statusRequested } from '../../shared/contract/requests.ts';

export const statusRequestedType = 'org.openstack.magnum.cluster.status.requested.v1';
export const pingType = 'dev.knative.sources.ping';

/** The events of this function with the schemas of their data. */
export const acceptedEvents = {
  [statusRequestedType]: statusRequested,
  'dev.knative.apiserver.ref.add': objectReference,
  'dev.knative.apiserver.ref.update': objectReference,
  'dev.knative.apiserver.ref.delete': objectReference,
  [pingType]: ping,
} as const;
