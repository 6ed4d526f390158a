import type { AddonInput, CloudServices } from '../addon.ts';
import { classNames, migrationType } from '../csi/class-names.ts';
import { storageClass } from '../csi/storage-class.ts';
import type { Manifest } from '../manifest.ts';
import { driverName } from './identity.ts';

/**
 * A StorageClass a volume type, of which exactly one is the default: that of the cloud's default type, else that of the type
 * which sorts first. A volume is made where the first pod that uses it is to run.
 */
export function blockClasses({ intent, services }: Pick<AddonInput, 'intent' | 'services'>): readonly Manifest[] {
  const types = offeredTypes(services);
  const byDefault = types.find((type) => type === services.defaultVolumeType) ?? types[0];
  const { availabilityZone } = intent.addons.cinderCsi;
  const zone = availabilityZone === null ? {} : { availability: availabilityZone };
  const names = classNames('block', types);
  return [...names].map(([type, name]) =>
    storageClass({
      name,
      provisioner: driverName,
      parameters: { type, ...zone },
      volumeBindingMode: 'WaitForFirstConsumer',
      isDefault: type === byDefault,
    }),
  );
}

/** Sorted, each once. The migration type is not meant to be chosen, but without it some clouds would have no default. */
function offeredTypes({ volumeTypes, defaultVolumeType }: CloudServices): readonly string[] {
  const types = [...new Set(volumeTypes)].toSorted();
  const chosen = types.filter((type) => type !== migrationType);
  return chosen.length === 0 || defaultVolumeType === migrationType ? types : chosen;
}
