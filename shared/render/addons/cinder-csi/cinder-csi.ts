import type { AddonInput } from '../addon.ts';
import { boundRole } from '../csi/rules.ts';
import { snapshotClass, snapshots } from '../csi/snapshots.ts';
import { csiDriver, type Manifest, serviceAccount } from '../manifest.ts';
import { blockClasses } from './block-classes.ts';
import { cinderController } from './controller.ts';
import { accounts, driverName } from './identity.ts';
import { cinderNode } from './node.ts';
import { boundRoles } from './roles.ts';

/** Cinder volumes for pods, with a StorageClass a volume type, and snapshots of them. */
export function cinderCsi(input: AddonInput): readonly Manifest[] {
  return [
    ...Object.values(accounts).map((name) => serviceAccount({ name })),
    ...boundRoles.flatMap(boundRole),
    csiDriver(
      { name: driverName },
      { attachRequired: true, podInfoOnMount: true, volumeLifecycleModes: ['Persistent', 'Ephemeral'] },
    ),
    ...cinderController(input),
    cinderNode(input),
    ...blockClasses(input),
    ...snapshots(input),
    // Without force, Cinder refuses to take one of a volume that a pod uses.
    snapshotClass('block-snapshot', { driver: driverName, parameters: { 'force-create': 'true' } }),
  ];
}
