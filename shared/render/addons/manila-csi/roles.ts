import { eventVerbs, type Grants, read } from '../csi/rules.ts';
import type { Component } from './identity.ts';

/** In the whole cluster; upstream aggregates the same from a role of its own. */
export const clusterGrants: Readonly<Record<Component, Grants>> = {
  controllerplugin: {
    nodes: read,
    secrets: 'get list',
    persistentvolumes: `${read} create delete patch`,
    persistentvolumeclaims: `${read} update`,
    'persistentvolumeclaims/status': 'patch',
    events: eventVerbs,
    'storage.k8s.io storageclasses': read,
    'storage.k8s.io csinodes': read,
    'snapshot.storage.k8s.io volumesnapshotclasses': read,
    'snapshot.storage.k8s.io volumesnapshots': 'get list',
    'snapshot.storage.k8s.io volumesnapshotcontents': `create ${read} update delete patch`,
    'snapshot.storage.k8s.io volumesnapshotcontents/status': 'update patch',
  },
  nodeplugin: {
    configmaps: 'get list',
    nodes: 'get list update',
    namespaces: 'get list',
    persistentvolumes: `${read} update`,
  },
};

/** The controller's, in the namespace of the add-on. */
export const ownGrants: Grants = {
  endpoints: `${read} delete update create`,
  configmaps: `${read} create delete`,
};
