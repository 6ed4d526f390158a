import type * as z from 'zod';
import * as replies from './replies.ts';
import * as requests from './requests.ts';

export const functionNames = ['create', 'resize', 'upgrade', 'delete', 'status', 'health'] as const;
export type FunctionName = (typeof functionNames)[number];

interface EventType {
  /** Schema of the event's data. */
  readonly schema: z.ZodType;
  /** Functions that take the event; none = it is a reply. */
  readonly functions: readonly FunctionName[];
  readonly meaning: string;
}

/** Every event of the contract by its CloudEvents type; docs/events.md and docs/schemas are generated from it. */
export const eventTypes = {
  'org.openstack.magnum.cluster.create.v1': {
    schema: requests.clusterCreate,
    functions: ['create'],
    meaning: 'Create a cluster.',
  },
  'org.openstack.magnum.nodegroup.create.v1': {
    schema: requests.nodegroupCreate,
    functions: ['create'],
    meaning: 'Add a nodegroup to a cluster.',
  },
  'org.openstack.magnum.cluster.resize.v1': {
    schema: requests.clusterResize,
    functions: ['resize'],
    meaning: 'Change the number of nodes of a nodegroup.',
  },
  'org.openstack.magnum.nodegroup.update.v1': {
    schema: requests.nodegroupUpdate,
    functions: ['resize'],
    meaning: 'Change the limits, labels or taints of a nodegroup.',
  },
  'org.openstack.magnum.cluster.upgrade.v1': {
    schema: requests.clusterUpgrade,
    functions: ['upgrade'],
    meaning: 'Move a cluster to the Kubernetes version and image of another template.',
  },
  'org.openstack.magnum.cluster.update.v1': {
    schema: requests.clusterUpdate,
    functions: ['upgrade'],
    meaning: 'Update a cluster in place; always rejected as unsupported.',
  },
  'org.openstack.magnum.cluster.ca.rotate.v1': {
    schema: requests.caRotate,
    functions: ['upgrade'],
    meaning: "Replace the cluster's certificate authorities; always rejected as unsupported.",
  },
  'org.openstack.magnum.cluster.credential.rotate.v1': {
    schema: requests.credentialRotate,
    functions: ['upgrade'],
    meaning: "Replace the cluster's application credential by one of the requesting user.",
  },
  'org.openstack.magnum.cluster.delete.v1': {
    schema: requests.clusterDelete,
    functions: ['delete'],
    meaning: 'Delete a cluster and all that was made for it.',
  },
  'org.openstack.magnum.nodegroup.delete.v1': {
    schema: requests.nodegroupDelete,
    functions: ['delete'],
    meaning: 'Remove a nodegroup from a cluster.',
  },
  'org.openstack.magnum.cluster.status.requested.v1': {
    schema: requests.statusRequested,
    functions: ['status'],
    meaning: 'Report the status of a cluster now.',
  },
  'org.openstack.magnum.cluster.health.requested.v1': {
    schema: requests.healthRequested,
    functions: ['health'],
    meaning: 'Report the health of a cluster now.',
  },
  'dev.knative.apiserver.ref.add': {
    schema: requests.objectReference,
    functions: ['status', 'health'],
    meaning: 'An object of the management cluster appeared.',
  },
  'dev.knative.apiserver.ref.update': {
    schema: requests.objectReference,
    functions: ['status', 'health'],
    meaning: 'An object of the management cluster changed.',
  },
  'dev.knative.apiserver.ref.delete': {
    schema: requests.objectReference,
    functions: ['status', 'health'],
    meaning: 'An object of the management cluster is gone.',
  },
  'dev.knative.sources.ping': {
    schema: requests.ping,
    functions: ['status', 'health'],
    meaning: 'Look at all clusters again.',
  },
  'org.openstack.magnum.operation.accepted.v1': {
    schema: replies.operationAccepted,
    functions: [],
    meaning: 'The operation is recorded and will be carried out.',
  },
  'org.openstack.magnum.operation.rejected.v1': {
    schema: replies.operationRejected,
    functions: [],
    meaning: 'The operation is refused; nothing was written.',
  },
  'org.openstack.magnum.cluster.status.v1': {
    schema: replies.clusterStatus,
    functions: [],
    meaning: 'What Magnum may copy into its rows.',
  },
  'org.openstack.magnum.cluster.health.v1': {
    schema: replies.clusterHealth,
    functions: [],
    meaning: "Health of a cluster in Magnum's words.",
  },
} as const satisfies Record<string, EventType>;

export type EventTypeName = keyof typeof eventTypes;
export type EventData<T extends EventTypeName> = z.infer<(typeof eventTypes)[T]['schema']>;
