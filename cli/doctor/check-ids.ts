/** Every check, in the order in which they are printed: each after those that it needs. */
export const checkIds = [
  'kubernetes-version',
  'api-versions',
  'contracts',
  'openstack-resource-controller',
  'controllers',
  'namespace',
  'webhooks',
  'cluster-topology',
  'cluster-resource-sets',
  'knative-serving',
  'knative-eventing',
  'objects',
  'rights',
  'functions',
  'images',
  'events',
  'event-tokens',
  'listener',
  'keystone',
  'clocks',
  'service-credential',
  'autoscalers',
  'dead-letters',
] as const;

/** Name of a check on the command line and in scripts. */
export type CheckId = (typeof checkIds)[number];
