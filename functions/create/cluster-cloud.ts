import type { Session } from 'openstack-client-ts';
import { createClusterCredential, deleteUnfinishedCredentials } from '../../shared/cloud/application-credential.ts';
import { type CloudAccess, cloudAccess, clusterAccess } from '../../shared/cloud/cloud-access.ts';
import { resolveCloudFacts } from '../../shared/cloud/cloud-facts.ts';
import { askCloud } from '../../shared/cloud/cloud-faults.ts';
import { type CloudServicesReading, readCloudServices } from '../../shared/cloud/cloud-services.ts';
import { checkToken } from '../../shared/cloud/request-token.ts';
import { deleteServerGroups, ensureServerGroups, serverGroupName } from '../../shared/cloud/server-groups.ts';
import { openTokenSession } from '../../shared/cloud/token-session.ts';
import { type WorkloadAccess, workloadAccess } from '../../shared/cloud/workload-access.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import type { MagnumSnapshot } from '../../shared/magnum/snapshot.ts';
import type { CloudCredential, CloudFacts, ServerGroupFacts } from '../../shared/render/cloud-facts.ts';

/** What creating one cluster does in the cloud, as the user who asks for it. */
export interface ClusterCloud {
  /** Reads only. @throws RejectedError with all faults at once */
  inspect(intent: ClusterIntent): Promise<CloudPlan>;
  /** Finds or creates the groups. @throws RejectedError, e.g. when a quota is used up */
  ensureServerGroups(stackId: string, intent: ClusterIntent): Promise<ServerGroupFacts>;
  /** Replaces what earlier attempts left by a new credential. @throws RejectedError */
  createCredential(uuid: string, eventId: string): Promise<ApplicationCredential>;
  /** Removes whatever this or an earlier attempt made. */
  discard(stackId: string, intent: ClusterIntent): Promise<void>;
  close(): void;
}

export type ApplicationCredential = Pick<CloudCredential, 'applicationCredentialId' | 'applicationCredentialSecret'>;

export interface CloudPlan extends CloudServicesReading {
  readonly facts: CloudFacts;
  /** How CAPO will reach the cloud. */
  readonly access: Omit<CloudCredential, keyof ApplicationCredential>;
  /** How the workload will. */
  readonly workload: WorkloadAccess;
}

interface ClusterCloudOptions {
  /** Keystone's URL, as Magnum knows it. */
  readonly authUrl: string;
  readonly options: MagnumSnapshot['options'];
  /** The requesting user's. */
  readonly token: string;
  readonly onRequest: () => void;
  /** Runs before each write and may throw to stop it. */
  readonly beforeWrite: () => void;
}

export function openClusterCloud(cloud: ClusterCloudOptions): ClusterCloud {
  const { token, onRequest, beforeWrite } = cloud;
  const access = cloudAccess(cloud.authUrl, cloud.options);
  const session = openTokenSession({ access, token, onRequest });
  return {
    inspect: (intent) => inspect(session, { ...cloud, access }, intent),

    async ensureServerGroups(stackId, intent) {
      const wanted = wantedServerGroups(stackId, intent);
      const ids = await askCloud(() => ensureServerGroups(session, wanted, beforeWrite));
      const id = (nodegroup: string | null) => ids.get(serverGroupName(stackId, nodegroup)) ?? '';
      return {
        controlPlane: id(null),
        workers: Object.fromEntries(intent.workers.map(({ name }) => [name, id(name)])),
      };
    },

    async createCredential(uuid, eventId) {
      const { id, secret } = await askCloud(() => createClusterCredential(session, { uuid, eventId }, beforeWrite));
      return { applicationCredentialId: id, applicationCredentialSecret: secret };
    },

    async discard(stackId, intent) {
      const names = wantedServerGroups(stackId, intent).map(({ name }) => name);
      await askCloud(() => deleteServerGroups(session, names, beforeWrite));
      await askCloud(() => deleteUnfinishedCredentials(session, intent, beforeWrite));
    },

    close: () => session.close(),
  };
}

interface Question extends Pick<ClusterCloudOptions, 'authUrl' | 'options'> {
  readonly access: CloudAccess;
}

async function inspect(session: Session, question: Question, intent: ClusterIntent): Promise<CloudPlan> {
  const authentication = await askCloud(() => session.authentication());
  checkToken(authentication, intent.projectId);
  const access = await clusterAccess(session, authentication.catalog, question.access);
  const workload = await askCloud(() => workloadAccess(session, question));
  const [facts, reading] = await Promise.all([
    resolveCloudFacts(session, intent),
    askCloud(() => readCloudServices(session, intent)),
  ]);
  return { facts, access, workload, ...reading };
}

function wantedServerGroups(stackId: string, intent: ClusterIntent) {
  return [
    { name: serverGroupName(stackId, null), policy: intent.controlPlane.serverGroup.policy },
    ...intent.workers.map(({ name, serverGroup }) => ({
      name: serverGroupName(stackId, name),
      policy: serverGroup.policy,
    })),
  ];
}
