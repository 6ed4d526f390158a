import { type Manifest, readManifests } from '../../local/manifests/read-manifests.ts';

/** The objects of knative/base of this release. A bundle has them inside, since there is no checkout where it runs: scripts/with-base-manifests.ts. */
export function baseManifests(): Promise<readonly Manifest[]> {
  return readManifests();
}
