import type { AddonInput } from '../addon.ts';
import { boundRole, rules } from '../csi/rules.ts';
import { snapshotClass, snapshots } from '../csi/snapshots.ts';
import { csiDriver, type Manifest, role, roleBinding, serviceAccount } from '../manifest.ts';
import { manilaController } from './controller.ts';
import { type Component, componentName, driverName } from './identity.ts';
import { manilaNode } from './node.ts';
import { clusterGrants, ownGrants } from './roles.ts';
import { manilaSecret, secretParameters, shareClasses } from './share-classes.ts';

const components: readonly Component[] = ['controllerplugin', 'nodeplugin'];

/** Manila shares for pods, mounted by the NFS driver, with a StorageClass a share type. */
export function manilaCsi(input: AddonInput): readonly Manifest[] {
  const own = componentName('controllerplugin');
  return [
    ...components.flatMap(accountWithRole),
    role({ name: own }, rules(ownGrants)),
    roleBinding({ name: own }, { role: own, serviceAccount: own }),
    csiDriver({ name: driverName }, { attachRequired: false, podInfoOnMount: false, fsGroupPolicy: 'None' }),
    ...manilaController(input),
    manilaNode(input),
    manilaSecret(input),
    ...shareClasses(input),
    ...(hasCinderCsi(input) ? [] : snapshots(input)),
    snapshotClass('share-snapshot', { driver: driverName, parameters: secretParameters('snapshotter') }),
  ];
}

/** It brings what snapshots need for both. */
function hasCinderCsi({ intent, services }: AddonInput): boolean {
  return intent.addons.cinderCsi.enabled && services.volumeTypes !== null;
}

function accountWithRole(component: Component): readonly Manifest[] {
  const name = componentName(component);
  const grants = clusterGrants[component];
  return [serviceAccount({ name }), ...boundRole({ role: name, binding: name, serviceAccount: name, grants })];
}
