import type { Session } from 'openstack-client-ts';
import { askCloud } from '../cloud/cloud-faults.ts';
import { openClusterSession } from '../cloud/cluster-session.ts';
import type { LiveSecret } from '../kubernetes/cluster-repository.ts';
import type { OperationEnvironment } from './operation-environment.ts';
import { rejection } from './rejection.ts';

export interface ClusterSession {
  /** Signed in; whoever asked for it closes it. */
  readonly session: Session;
  /** The cloud-config Secret that it was opened by. */
  readonly secret: LiveSecret;
}

/**
 * Signs in to the cloud as the cluster itself.
 * @throws RejectedError where the credential is gone or refused, DependencyError
 */
export async function clusterSession(environment: OperationEnvironment, stackId: string): Promise<ClusterSession> {
  const secret = await environment.repository.findCloudConfig(stackId);
  if (secret === null) {
    throw rejection('not_found', `The Secret ${stackId}-cloud-config with the cluster's credential is gone.`);
  }
  const session = openClusterSession(secret, environment.onCloudRequest);
  try {
    await askCloud(() => session.authentication());
  } catch (error) {
    session.close();
    throw error;
  }
  return { session, secret };
}
