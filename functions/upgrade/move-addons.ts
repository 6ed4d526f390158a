import { OpenStackError } from 'openstack-client-ts';
import { openClusterSession } from '../../shared/cloud/cluster-session.ts';
import { clusterWorkloadAccess } from '../../shared/cloud/workload-access.ts';
import { DependencyError } from '../../shared/contract/errors.ts';
import { readAddonSecrets, writeFiles } from '../../shared/kubernetes/addon-sets.ts';
import type { LiveSecret } from '../../shared/kubernetes/cluster-repository.ts';
import type { CloudConfAccess } from '../../shared/render/addons/cloud-conf/cloud-conf.ts';
import { withCredential } from '../../shared/render/addons/cloud-conf/move-manifests.ts';
import type { Rotation } from './rotation.ts';

interface Moving {
  readonly stackId: string;
  /** The cloud-config Secret with the new credential. */
  readonly secret: LiveSecret;
}

/**
 * Gives the new credential to the cluster's cloud integrations, through what Cluster API keeps applied there. Their pods
 * restart later, by the status function: only once the new Secret is in the cluster.
 * @throws DependencyError, ConflictError
 */
export async function moveAddons(rotation: Rotation, { stackId, secret }: Moving): Promise<void> {
  const { environment, proceed } = rotation;
  const addons = await readAddonSecrets(environment.kubernetes, stackId);
  if (addons.length === 0) return;
  const access = await newAccess(rotation, secret);
  for (const addon of addons) {
    const files = withCredential(addon.files, access);
    if (Object.keys(files).length === 0) continue;
    proceed();
    await writeFiles(environment.kubernetes, addon, files);
  }
}

/** Read as the cluster itself: what does not let the new credential in must not get into the workload either. */
async function newAccess({ environment, event }: Rotation, secret: LiveSecret): Promise<CloudConfAccess> {
  const session = openClusterSession(secret, environment.onCloudRequest);
  const { context, options } = event.data;
  try {
    return await clusterWorkloadAccess(session, secret, { authUrl: context.auth_url, options });
  } catch (error) {
    if (!(error instanceof OpenStackError)) throw error;
    throw new DependencyError(`The new credential cannot be used yet: ${error.message}`, { cause: error });
  } finally {
    session.close();
  }
}
