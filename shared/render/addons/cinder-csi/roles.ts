import { type BoundRole, eventVerbs, type Grants, leaseVerbs, read } from '../csi/rules.ts';
import { accounts } from './identity.ts';

const leases: Grants = { 'coordination.k8s.io leases': leaseVerbs };

const controllerGrants: Readonly<Record<string, Grants>> = {
  attacher: {
    persistentvolumes: `${read} patch`,
    'storage.k8s.io csinodes': read,
    'storage.k8s.io volumeattachments': `${read} patch`,
    'storage.k8s.io volumeattachments/status': 'patch',
    ...leases,
  },
  provisioner: {
    persistentvolumes: `${read} create delete patch`,
    persistentvolumeclaims: `${read} update`,
    'storage.k8s.io storageclasses': read,
    nodes: read,
    'storage.k8s.io csinodes': read,
    events: eventVerbs,
    'snapshot.storage.k8s.io volumesnapshots': 'get list',
    'snapshot.storage.k8s.io volumesnapshotcontents': 'get list',
    ...leases,
  },
  snapshotter: {
    events: eventVerbs,
    'snapshot.storage.k8s.io volumesnapshotclasses': read,
    'snapshot.storage.k8s.io volumesnapshotcontents': `create ${read} update delete patch`,
    'snapshot.storage.k8s.io volumesnapshotcontents/status': 'update patch',
    ...leases,
  },
  resizer: {
    persistentvolumes: `${read} patch`,
    persistentvolumeclaims: read,
    pods: read,
    'persistentvolumeclaims/status': 'patch',
    events: eventVerbs,
    ...leases,
  },
};

/** Roles under upstream's names; all of the controller's are of one ServiceAccount. */
export const boundRoles: readonly BoundRole[] = [
  ...Object.entries(controllerGrants).map(([name, grants]) => named(name, accounts.controller, grants)),
  named('nodeplugin', accounts.node, { events: `get ${eventVerbs}` }),
];

function named(name: string, serviceAccount: string, grants: Grants): BoundRole {
  return { role: `csi-${name}-role`, binding: `csi-${name}-binding`, serviceAccount, grants };
}
