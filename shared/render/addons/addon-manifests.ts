import { managedByLabel } from '../metadata.ts';
import type { AddonBuilder, AddonInput, AddonName } from './addon.ts';
import { addonNames } from './addon.ts';
import { calico } from './calico/calico.ts';
import { cilium } from './cilium/cilium.ts';
import { cinderCsi } from './cinder-csi/cinder-csi.ts';
import { cloudConfigContent, cloudConfigHash } from './cloud-conf/cloud-config-manifest.ts';
import { mountingWorkload, restartedFor } from './cloud-conf/mounting-workload.ts';
import { cloudControllerManager } from './cloud-controller-manager/cloud-controller-manager.ts';
import { keystoneAuth } from './keystone-auth/keystone-auth.ts';
import type { Manifest } from './manifest.ts';
import { manilaCsi } from './manila-csi/manila-csi.ts';
import { nfsCsi } from './nfs-csi/nfs-csi.ts';

/** One add-on as it shall be in the workload cluster. */
export interface Addon {
  readonly name: AddonName;
  readonly manifests: readonly Manifest[];
}

const builders: Readonly<Record<AddonName, AddonBuilder>> = {
  calico,
  cilium,
  'cloud-controller-manager': cloudControllerManager,
  'cinder-csi': cinderCsi,
  'nfs-csi': nfsCsi,
  'manila-csi': manilaCsi,
  'keystone-auth': keystoneAuth,
};

/**
 * The add-ons of a cluster, in the order in which they are applied: those that its labels ask for and its cloud has the
 * services for.
 * @throws RangeError for a value that cloud.conf cannot carry
 */
export function addonManifests(input: AddonInput): readonly Addon[] {
  const hash = cloudConfigHash(cloudConfigContent(input.access, input.intent.loadBalancer));
  return addonNames
    .filter((name) => isWanted(name, input))
    .map((name) => ({ name, manifests: builders[name](input).map((manifest) => finished(manifest, hash)) }));
}

function isWanted(name: AddonName, { intent, services }: AddonInput): boolean {
  const { addons, apiServer, cni } = intent;
  const hasManila = addons.manilaCsi.enabled && services.shareTypes !== null;
  const wanted: Readonly<Record<AddonName, boolean>> = {
    calico: cni.kind === 'calico',
    cilium: cni.kind === 'cilium',
    'cloud-controller-manager': true,
    'cinder-csi': addons.cinderCsi.enabled && services.volumeTypes !== null,
    'nfs-csi': hasManila,
    'manila-csi': hasManila,
    'keystone-auth': apiServer.keystoneAuth,
  };
  return wanted[name];
}

/** With the label of this driver, and restarted whenever the cloud-config Secret is another one. */
function finished(manifest: Manifest, hash: string): Manifest {
  const { metadata } = manifest;
  const labelled = { ...manifest, metadata: { ...metadata, labels: { ...metadata.labels, ...managedByLabel } } };
  if (mountingWorkload(labelled) === null) return labelled;
  const restarted = { ...labelled, spec: restartedFor(labelled, hash).spec };
  return restarted;
}
