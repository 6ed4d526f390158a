import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import type { AddonInput } from '../../shared/render/addons/addon.ts';
import { calicoReleases } from '../../shared/render/addons/calico/releases.ts';
import { ciliumReleases } from '../../shared/render/addons/cilium/releases.ts';
import { supportedMinors } from '../../shared/render/addons/supported-version.ts';
import { addonInput, imagesFrom } from '../../shared/render/addons/testing/addon-input.ts';
import { hostileNames } from '../cloud/openstack/default-state.ts';
import { exampleIntent } from '../render/example-intent.ts';

/** The oldest minor that the add-ons are shown for; clusters of older ones only pass through. */
const oldest = 31;

/** E.g. `v1.31.4`, one of each minor. */
export const everyVersion: readonly string[] = Array.from(
  { length: supportedMinors.newest - oldest + 1 },
  (_, index) => `v1.${oldest + index}.1`,
);

/** Each network with each of its lines. */
export const everyNetwork: readonly ClusterIntent['cni'][] = [
  ...calicoReleases.map(({ version: tag }) => ({ kind: 'calico' as const, tag })),
  ...ciliumReleases.map(({ version: tag }) => ({ kind: 'cilium' as const, tag })),
];

const example = exampleIntent();

/** What makes a cluster have every add-on, with all that is optional. */
export function everyAddon(changes: Partial<ClusterIntent> = {}): AddonInput {
  const intent = exampleIntent({
    cni: { kind: 'calico', tag: 'v3.32.1' },
    apiServer: { ...example.apiServer, keystoneAuth: true },
    addons: {
      ...example.addons,
      hubbleUi: true,
      cinderCsi: { ...example.addons.cinderCsi, enabled: true },
      manilaCsi: { ...example.addons.manilaCsi, enabled: true, shareNetworkId: 'a-share-network' },
    },
    ...changes,
  });
  return addonInput({
    intent,
    access: {
      applicationCredentialSecret: 'very-secret',
      caCertificate: '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n',
    },
    services: {
      volumeTypes: ['ssd', 'SSD', '__DEFAULT__', ...hostileNames],
      defaultVolumeType: '__DEFAULT__',
      shareTypes: ['nfs', 'cephfs', ...hostileNames],
    },
    image: imagesFrom(intent.imageRepository),
  });
}
