import { serverGroupName } from '../../shared/cloud/server-groups.ts';
import type { EventData } from '../../shared/contract/event-types.ts';
import { openRecord, recordAnnotation } from '../../shared/kubernetes/operation-record.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { type AddonOptions, clusterAddons } from '../../shared/operation/cluster-addons.ts';
import type { AddonObjects } from '../../shared/render/addons/addon-secrets.ts';
import { newAutoscalerAnnotations } from '../../shared/render/addons/cluster-autoscaler/autoscaler-facts.ts';
import { cloudConfigSecret } from '../../shared/render/cloud-config.ts';
import type { ServerGroupFacts } from '../../shared/render/cloud-facts.ts';
import { type Cluster, cluster } from '../../shared/render/cluster.ts';
import { clusterTitleAnnotation } from '../../shared/render/metadata.ts';
import type { Secret } from '../../shared/render/rendered-object.ts';
import { certificateSecrets } from '../../shared/render/secrets.ts';
import type { clusterCreateType } from './accepted-events.ts';
import type { ApplicationCredential, CloudPlan } from './cluster-cloud.ts';

export const createOperation = 'cluster.create';
/** Minutes, where Magnum names none (design §4). */
const defaultTimeout = 60;

/** All that a create knows once it has been to the cloud. */
export interface CreationFacts {
  readonly event: {
    readonly id: string;
    readonly time: string;
    readonly data: EventData<typeof clusterCreateType>;
  };
  readonly intent: ClusterIntent;
  readonly stackId: string;
  readonly plan: Omit<CloudPlan, 'notes'>;
  readonly serverGroups: ServerGroupFacts;
}

/** What a create writes before the Cluster. */
export interface CreatedSecrets {
  /** Claims the stack id, so it is the first. */
  readonly cloudConfig: Secret;
  readonly certificates: readonly Secret[];
  readonly addons: AddonObjects;
}

interface SecretFacts extends CreationFacts {
  readonly credential: ApplicationCredential;
  readonly addons: AddonOptions;
}

/** All that holds a secret. Pure. @throws RejectedError for a value that the workload's cloud.conf cannot carry */
export function createdSecrets({ credential, addons, ...facts }: SecretFacts): CreatedSecrets {
  const { event, intent, stackId, plan, serverGroups } = facts;
  const { uuid, projectId, userId } = intent;
  const record = { uuid, projectId, userId, serverGroups: serverGroupIds(stackId, serverGroups) };
  const access = { ...plan.workload, ...credential };
  return {
    cloudConfig: cloudConfigSecret({ stackId, credential: { ...plan.access, ...credential }, record }),
    certificates: certificateSecrets(stackId, event.data.certificates),
    addons: clusterAddons(addons, { stackId, intent, access, services: plan.services }),
  };
}

/** The Cluster, with the record of the operation. Pure. */
export function createdCluster(
  { event, intent, stackId, plan, serverGroups }: CreationFacts,
  className: string,
): Cluster {
  const { cluster_create_timeout, cluster: row } = event.data;
  const timeout = cluster_create_timeout ?? defaultTimeout;
  const annotations = {
    ...(row.name ? { [clusterTitleAnnotation]: row.name } : {}),
    [recordAnnotation(null)]: JSON.stringify(openRecord(event, createOperation, timeout)),
    ...newAutoscalerAnnotations(event.data.options.auto_scaling),
  };
  return cluster({ stackId, className, intent, facts: plan.facts, serverGroups, annotations, live: null });
}

/** By the names that the groups have in Nova. */
function serverGroupIds(stackId: string, { controlPlane, workers }: ServerGroupFacts): Record<string, string> {
  const ofWorkers = Object.entries(workers).map(([nodegroup, id]) => [serverGroupName(stackId, nodegroup), id]);
  return { [serverGroupName(stackId, null)]: controlPlane, ...Object.fromEntries(ofWorkers) };
}
