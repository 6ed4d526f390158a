import type { AddonSets } from '../../shared/kubernetes/addon-objects.ts';
import { liveSecret } from '../../shared/kubernetes/cluster-repository.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { stackNames } from '../../shared/render/stack-names.ts';
import type { Environment } from './environment.ts';

interface Owner {
  readonly stackId: string;
  /** Of the Magnum cluster. */
  readonly uuid: string;
}

/** The resource sets of the original driver with their Secrets, which bear their names (seed §3.2). @throws KubernetesError */
export async function findLegacyAddons({ kubernetes, signal }: Environment, owner: Owner): Promise<AddonSets> {
  const references = [owner.uuid, stackNames(owner.stackId).cloudProvider].map((name) => ({ namespace, name }));
  const [sets, secrets] = await Promise.all([
    Promise.all(references.map((one) => kubernetes.find(resources.clusterResourceSet, one, { signal }))),
    Promise.all(references.map((one) => kubernetes.find(resources.secret, one, { signal }))),
  ]);
  return {
    sets: sets.filter((set) => set !== undefined),
    secrets: secrets.filter((secret) => secret !== undefined).map(liveSecret),
  };
}
