import { resources } from '../../../shared/kubernetes/resources.ts';
import { managedBySelector, managementNamespace as namespace } from '../../../shared/render/metadata.ts';
import { type Check, goodUnless, warning } from '../check.ts';
import { conditionProblem } from '../condition.ts';

export const autoscalersCheck: Check = {
  id: 'autoscalers',
  description:
    'The cluster-autoscaler of each cluster that has one is available. One of a cluster that is just created is not yet.',
  remedy:
    'Look at its pod: kubectl -n magnum-system describe pods. It waits for the API of its cluster, and needs an image that can be pulled.',
  needs: ['namespace'],
  async run({ client, signal }) {
    const found = await client.list(resources.deployment, { namespace, labelSelector: managedBySelector, signal });
    const problems = found.flatMap((deployment) => {
      const problem = conditionProblem(deployment, 'Available');
      return problem === null ? [] : [warning(`Deployment ${deployment.metadata?.name} is not available: ${problem}.`)];
    });
    const good = found.length === 0 ? 'No cluster has a cluster-autoscaler.' : 'The cluster-autoscalers are available.';
    return goodUnless(problems, good);
  },
};
