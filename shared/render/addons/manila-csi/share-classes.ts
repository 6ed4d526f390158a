import type { AddonInput } from '../addon.ts';
import { classNames } from '../csi/class-names.ts';
import { storageClass } from '../csi/storage-class.ts';
import { addonNamespace, type Manifest, secret } from '../manifest.ts';
import { driverName } from './identity.ts';

const secretName = 'csi-manila-secrets';

/** The Secret from which each call of the driver takes how it reaches the cloud (upstream's `pkg/client` names the keys). */
export function manilaSecret({ access }: Pick<AddonInput, 'access'>): Manifest {
  const authority = access.caCertificate === '' ? {} : { 'os-certAuthorityPath': '/etc/config/ca.crt' };
  return secret(
    { name: secretName },
    {
      'os-authURL': access.authUrl,
      'os-region': access.region,
      'os-applicationCredentialID': access.applicationCredentialId,
      'os-applicationCredentialSecret': access.applicationCredentialSecret,
      'os-TLSInsecure': String(!access.verify),
      ...authority,
    },
  );
}

/** Parameters that name the Secret for the calls of a kind, e.g. `node-stage`. */
export function secretParameters(...calls: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    calls.flatMap((call) => [
      [`csi.storage.k8s.io/${call}-secret-name`, secretName],
      [`csi.storage.k8s.io/${call}-secret-namespace`, addonNamespace],
    ]),
  );
}

/** A StorageClass a share type, where the cluster has a share network for them; none is the default. */
export function shareClasses({ intent, services }: Pick<AddonInput, 'intent' | 'services'>): readonly Manifest[] {
  const { shareNetworkId } = intent.addons.manilaCsi;
  if (shareNetworkId === null) return [];
  const types = [...new Set(services.shareTypes)].toSorted();
  const secrets = secretParameters('provisioner', 'controller-expand', 'node-stage', 'node-publish');
  return [...classNames('share', types)].map(([type, name]) =>
    storageClass({
      name,
      provisioner: driverName,
      parameters: { type, shareNetworkID: shareNetworkId, ...secrets },
      // A share has no zone: every node reaches it.
      volumeBindingMode: 'Immediate',
      isDefault: false,
    }),
  );
}
