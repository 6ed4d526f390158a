import type { Session } from 'openstack-client-ts';
import { resolveCloudFacts } from '../../shared/cloud/cloud-facts.ts';
import { collectFaults } from '../../shared/cloud/cloud-faults.ts';
import { controlPlaneNeeds, nodegroupNeeds, resolveNodeFacts } from '../../shared/cloud/node-facts.ts';
import type { LiveSecret } from '../../shared/kubernetes/cluster-repository.ts';
import type { LiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import type { CloudFacts, ServerGroupFacts } from '../../shared/render/cloud-facts.ts';
import type { LiveInfrastructure } from '../../shared/render/live-infrastructure.ts';
import type { Environment } from './environment.ts';
import { liveInfrastructure } from './live-infrastructure.ts';
import { completeServerGroups, inspectServerGroups, type ServerGroupPlan } from './server-groups.ts';

/** What the new topology needs to know beside Magnum's rows. */
export interface Inspection {
  readonly facts: CloudFacts;
  readonly live: LiveInfrastructure | null;
  readonly groups: ServerGroupPlan;
}

export interface InspectionQuestion {
  readonly cluster: LiveCluster;
  readonly intent: ClusterIntent;
  /** Signed in as the cluster. */
  readonly session: Session;
}

/**
 * Looks at what lives of the cluster and at what its new machines need, as the cluster itself; nothing is written.
 * @throws RejectedError with all faults at once, DependencyError
 */
export async function inspectCluster(environment: Environment, question: InspectionQuestion): Promise<Inspection> {
  const { cluster, intent, session } = question;
  const live = await liveInfrastructure(environment, cluster);
  const [facts, groups] = await Promise.all([
    live === null ? newFacts(session, intent) : nodeFacts(session, intent),
    inspectServerGroups(session, cluster, intent),
  ]);
  return { facts, live, groups };
}

/** Where nothing lives yet, as for a new cluster; but a key pair may be gone, since it is never asked for again. */
function newFacts(session: Session, intent: ClusterIntent): Promise<CloudFacts> {
  return resolveCloudFacts(session, { ...intent, keypair: null });
}

/** The networks live: whoever renames or hides one must not block an upgrade. */
async function nodeFacts(session: Session, intent: ClusterIntent): Promise<CloudFacts> {
  const faults = collectFaults();
  const needs = [controlPlaneNeeds(intent), ...intent.workers.map(nodegroupNeeds)];
  const imageField = 'new_cluster_template.image_id';
  const nodes = await resolveNodeFacts(
    session,
    needs.map((need) => ({ ...need, imageField })),
    faults,
  );
  faults.throwIfAny();
  return { ...nodes, externalNetworkId: '', fixedNetworkId: null, fixedSubnetId: null };
}

interface Grouping {
  readonly stackId: string;
  readonly session: Session;
  readonly proceed: () => void;
}

/** The groups that the new machines go to; what is missing is made. */
export function upgradedServerGroups(
  { repository }: Environment,
  { groups }: Inspection,
  { stackId, session, proceed }: Grouping,
): Promise<ServerGroupFacts> {
  return completeServerGroups(session, groups, {
    stackId,
    proceed,
    async recordGroup(group) {
      const secret: LiveSecret | null = await repository.findCloudConfig(stackId);
      proceed();
      if (secret !== null) await repository.recordServerGroup(secret, group);
    },
  });
}
