import { ServiceMissingError, type Session } from 'openstack-client-ts';
import type { MagnumSnapshot } from '../magnum/snapshot.ts';
import type { CloudConfAccess } from '../render/addons/cloud-conf/cloud-conf.ts';
import { clusterRegion } from './cloud-access.ts';
import { type CloudConfigSecret, clusterCredential } from './cluster-session.ts';

/** How the workload reaches the cloud, but for the credential. */
export type WorkloadAccess = Omit<CloudConfAccess, 'applicationCredentialId' | 'applicationCredentialSecret'>;

interface Request {
  /** Keystone's URL, for a catalogue that does not name it. */
  readonly authUrl: string;
  readonly options: MagnumSnapshot['options'];
}

/**
 * How the cloud integrations of a workload cluster reach the cloud: by the public interface, whichever the management side
 * uses, and with Magnum's `[drivers]` options (original-facts §2).
 * @throws RejectedError where the region is not certain, OpenStackError
 */
export async function workloadAccess(session: Session, { authUrl, options }: Request): Promise<WorkloadAccess> {
  const { catalog } = await session.authentication();
  return {
    authUrl: await publicIdentity(session, authUrl),
    region: clusterRegion(options.cinder_client.region_name || null, catalog),
    ...workloadTrust(options),
  };
}

/** Whom the workload's cloud integrations trust to be the cloud. */
export function workloadTrust({ drivers }: Request['options']): Pick<WorkloadAccess, 'verify' | 'caCertificate'> {
  return { verify: drivers.verify_ca, caCertificate: drivers.openstack_ca_file };
}

/**
 * The same with the cluster's own credential, as its cloud-config Secret holds it.
 * @param session signed in by that Secret
 * @throws RejectedError where the region is not certain, OpenStackError
 */
export async function clusterWorkloadAccess(
  session: Session,
  secret: CloudConfigSecret,
  request: Request,
): Promise<CloudConfAccess> {
  const credential = clusterCredential(secret);
  return {
    ...(await workloadAccess(session, request)),
    applicationCredentialId: credential?.id ?? '',
    applicationCredentialSecret: credential?.secret ?? '',
  };
}

async function publicIdentity(session: Session, otherwise: string): Promise<string> {
  try {
    return await session.endpoint('identity', { interface: 'public' });
  } catch (error) {
    if (error instanceof ServiceMissingError) return otherwise;
    throw error;
  }
}
