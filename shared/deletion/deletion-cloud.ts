import { OpenStackError, type Session } from 'openstack-client-ts';
import { cleanUpLimits } from '../cloud/clean-up-limits.ts';
import { openClusterSession } from '../cloud/cluster-session.ts';
import type { Leftover } from '../cloud/leftover.ts';
import { openServiceSession } from '../cloud/service-session.ts';
import { DriverError } from '../contract/errors.ts';
import { readCloudConfigRecord } from '../render/cloud-config.ts';
import { sentence } from '../status/reason/sentence.ts';
import type { Deletion, DeletionEnvironment } from './deletion.ts';

/** A way into the cluster's project. */
export interface DeletionCloud {
  readonly session: Session;
  /** The cluster's project where the session is an administrator's; null = it is the cluster's own. */
  readonly projectId: string | null;
}

/** Why a credential does not open the cloud. */
interface Refusal {
  readonly why: string;
  readonly isFinal: boolean;
}

const unopened = 'What the cluster had in the cloud could not be looked for';

/**
 * Runs the work as the cluster itself, or as the functions' own user where the cluster's credential is gone, as with its
 * owner. Returns what is left, also where nobody could look.
 * @throws what the work throws
 */
export async function inCloudOf(
  deletion: Deletion,
  work: (cloud: DeletionCloud) => Promise<readonly Leftover[]>,
): Promise<readonly Leftover[]> {
  const own = await openOwn(deletion);
  if ('session' in own) return closing(own, work);
  if (!own.isFinal) return [{ told: sentence(unopened, own.why), isFinal: false }];
  const service = await openService(deletion);
  if ('session' in service) return closing(service, work);
  return [{ told: sentence(`${unopened}: ${own.why}`, service.why), isFinal: service.isFinal }];
}

async function closing(
  cloud: DeletionCloud,
  work: (cloud: DeletionCloud) => Promise<readonly Leftover[]>,
): Promise<readonly Leftover[]> {
  try {
    return await work(cloud);
  } finally {
    cloud.session.close();
  }
}

async function openOwn({ environment, secret, stackId }: Deletion): Promise<DeletionCloud | Refusal> {
  if (secret === null) return { why: `the Secret ${stackId}-cloud-config with its credential is gone;`, isFinal: true };
  return open(null, async () => openClusterSession(secret, environment.onCloudRequest, cleanUpLimits));
}

function openService({ environment, secret }: Deletion): Promise<DeletionCloud | Refusal> {
  return openServiceCloud(environment, readCloudConfigRecord(secret)?.projectId ?? '');
}

/** Signs in as the functions' own user, to work in a cluster's project. */
export async function openServiceCloud(
  { serviceCloud, onCloudRequest }: DeletionEnvironment,
  projectId: string,
): Promise<DeletionCloud | Refusal> {
  if (serviceCloud === undefined) return { why: 'the functions have no credential of their own', isFinal: true };
  if (projectId === '') return { why: "the cluster's project is not recorded", isFinal: true };
  return open(projectId, () => openServiceSession(serviceCloud, onCloudRequest, cleanUpLimits));
}

async function open(projectId: string | null, start: () => Promise<Session>): Promise<DeletionCloud | Refusal> {
  let session: Session | undefined;
  try {
    session = await start();
    await session.authentication();
    return { session, projectId };
  } catch (error) {
    session?.close();
    if (error instanceof OpenStackError) return { why: error.message, isFinal: !error.retryable };
    // The file or the Secret holds no credential that could be tried.
    if (error instanceof DriverError) return { why: error.message, isFinal: true };
    throw error;
  }
}
