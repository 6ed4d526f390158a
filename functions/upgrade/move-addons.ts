import { OpenStackError, ServiceMissingError, type Session } from 'openstack-client-ts';
import { clusterRegion } from '../../shared/cloud/cloud-access.ts';
import { clusterCredential, openClusterSession } from '../../shared/cloud/cluster-session.ts';
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
  const access = await workloadAccess(rotation, secret);
  for (const addon of addons) {
    const files = withCredential(addon.files, access);
    if (Object.keys(files).length === 0) continue;
    proceed();
    await writeFiles(environment.kubernetes, addon, files);
  }
}

/** Read as the cluster itself: what does not let the new credential in must not get into the workload either. */
async function workloadAccess({ environment, event }: Rotation, secret: LiveSecret): Promise<CloudConfAccess> {
  const session = openClusterSession(secret, environment.onCloudRequest);
  const { cinder_client, drivers } = event.data.options;
  const credential = clusterCredential(secret);
  try {
    const { catalog } = await session.authentication();
    return {
      authUrl: await publicIdentity(session, event.data.context.auth_url),
      region: clusterRegion(cinder_client.region_name || null, catalog),
      applicationCredentialId: credential?.id ?? '',
      applicationCredentialSecret: credential?.secret ?? '',
      verify: drivers.verify_ca,
      caCertificate: drivers.openstack_ca_file,
    };
  } catch (error) {
    if (!(error instanceof OpenStackError)) throw error;
    throw new DependencyError(`The new credential cannot be used yet: ${error.message}`, { cause: error });
  } finally {
    session.close();
  }
}

/** The workload's nodes reach the public interface, whichever the management side uses. */
async function publicIdentity(session: Session, otherwise: string): Promise<string> {
  try {
    return await session.endpoint('identity', { interface: 'public' });
  } catch (error) {
    if (error instanceof ServiceMissingError) return otherwise;
    throw error;
  }
}
