import { type ResourceType, resources } from '../../../shared/kubernetes/resources.ts';
import { type Check, failure, good, goodUnless } from '../check.ts';
import { managersOf, type Provider } from '../managers.ts';
import { judge, probes } from '../probe-objects.ts';
import type { Surroundings } from '../surroundings.ts';

/** As Cluster API's webhook says it. */
const topologyOff = /ClusterTopology feature (?:flag|gate)/;

export const clusterTopologyCheck: Check = {
  id: 'cluster-topology',
  description: "Cluster API's feature gate ClusterTopology is on: its webhook accepts a ClusterClass, by a dry run.",
  remedy: 'Start the managers of Cluster API with CLUSTER_TOPOLOGY=true, as clusterctl init takes it.',
  needs: ['webhooks'],
  async run(surroundings) {
    const message = await refusalOf(surroundings, resources.clusterClass);
    if (message === null) return [good('Clusters may have a topology.')];
    const isOff = topologyOff.test(message);
    return [failure(isOff ? 'The feature gate ClusterTopology is off.' : `A ClusterClass is refused: ${message}`)];
  },
};

/** Where a manager is told otherwise; Cluster API has them on by itself. */
export const clusterResourceSetCheck: Check = {
  id: 'cluster-resource-sets',
  description:
    "Cluster API's feature gate ClusterResourceSet is on, by which add-ons get into clusters: no argument of the core manager turns it off, and a dry run of one is accepted.",
  remedy: 'Start the core manager of Cluster API with EXP_CLUSTER_RESOURCE_SET=true, as clusterctl init takes it.',
  needs: ['webhooks'],
  async run(surroundings) {
    const message = await refusalOf(surroundings, resources.clusterResourceSet);
    const refused = message === null ? [] : [failure(`A ClusterResourceSet is refused: ${message}`)];
    const core = await managersOf(surroundings, coreProvider);
    const isOff = core.some(({ args }) => args.some((argument) => /\bClusterResourceSet=false\b/.test(argument)));
    const off = isOff
      ? [failure('An argument of the core manager turns the feature gate ClusterResourceSet off.')]
      : [];
    return goodUnless([...refused, ...off], 'ClusterResourceSets are accepted.');
  },
};

const coreProvider: Provider = 'cluster-api';

/** Why an object of a kind is refused; null where it is not. */
async function refusalOf(surroundings: Surroundings, type: ResourceType): Promise<string | null> {
  const probe = probes.find((each) => each.type === type);
  if (probe === undefined) throw new Error(`There is no probe of ${type.kind}.`);
  const judgement = await judge(surroundings, probe);
  return judgement.kind === 'accepted' ? null : judgement.message;
}
