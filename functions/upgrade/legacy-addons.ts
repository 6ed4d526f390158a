import type { LiveAddons } from '../../shared/kubernetes/addon-objects.ts';
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
export function findLegacyAddons(environment: Environment, owner: Owner): Promise<readonly LiveAddons[]> {
  const names = [owner.uuid, stackNames(owner.stackId).cloudProvider];
  return Promise.all(names.map((name) => findSet(environment, name)));
}

async function findSet({ kubernetes, signal }: Environment, name: string): Promise<LiveAddons> {
  const set = await kubernetes.find(resources.clusterResourceSet, { namespace, name }, { signal });
  const secret = set && (await kubernetes.find(resources.secret, { namespace, name }, { signal }));
  return { set, secrets: secret === undefined ? [] : [liveSecret(secret)] };
}
