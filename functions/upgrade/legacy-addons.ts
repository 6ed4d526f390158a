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

/**
 * The resource sets of the original driver with their Secrets, which bear their names (seed §3.2). The sets go last, so where
 * there is none, there is no Secret.
 * @throws KubernetesError
 */
export async function findLegacyAddons({ kubernetes, signal }: Environment, owner: Owner): Promise<AddonSets> {
  const references = [owner.uuid, stackNames(owner.stackId).cloudProvider].map((name) => ({ namespace, name }));
  const found = await Promise.all(
    references.map(async (reference) => {
      const set = await kubernetes.find(resources.clusterResourceSet, reference, { signal });
      const secret = set && (await kubernetes.find(resources.secret, reference, { signal }));
      return { sets: set ? [set] : [], secrets: secret ? [liveSecret(secret)] : [] };
    }),
  );
  return { sets: found.flatMap(({ sets }) => sets), secrets: found.flatMap(({ secrets }) => secrets) };
}
