import type { AddonInput } from '../addon.ts';
import { boundRole, read } from '../csi/rules.ts';
import { csiDriver, type Manifest, serviceAccount } from '../manifest.ts';
import { accounts } from './accounts.ts';
import { nfsController } from './controller.ts';
import { nfsNode } from './node.ts';

const controllerRole = {
  role: 'nfs-external-provisioner-role',
  binding: 'nfs-csi-provisioner-binding',
  serviceAccount: accounts.controller,
  grants: {
    persistentvolumes: `${read} create delete`,
    persistentvolumeclaims: `${read} update`,
    'storage.k8s.io storageclasses': read,
    events: `${read} create update patch`,
    'storage.k8s.io csinodes': read,
    nodes: read,
    'coordination.k8s.io leases': `${read} create update patch`,
    secrets: 'get',
  },
};

/** Mounts NFS exports for pods, those of Manila's shares too. */
export function nfsCsi(input: AddonInput): readonly Manifest[] {
  return [
    ...Object.values(accounts).map((name) => serviceAccount({ name })),
    ...boundRole(controllerRole),
    csiDriver(
      { name: 'nfs.csi.k8s.io' },
      { attachRequired: false, fsGroupPolicy: 'File', volumeLifecycleModes: ['Persistent'] },
    ),
    nfsController(input),
    nfsNode(input),
  ];
}
