import { type Check, failure, goodUnless } from '../check.ts';
import { judge, probes } from '../probe-objects.ts';

export const webhooksCheck: Check = {
  id: 'webhooks',
  description:
    "Cluster API's admission and conversion webhooks answer: an object of each manager is created as a dry run, which the API server refuses where it cannot ask them.",
  remedy:
    "Look at the managers of Cluster API and at the certificates of their webhooks (cert-manager): kubectl -n capi-system get pods, and the same of the providers' namespaces.",
  needs: ['api-versions', 'namespace'],
  async run(surroundings) {
    const found = await Promise.all(
      probes.map(async (probe) => {
        const judgement = await judge(surroundings, probe);
        if (judgement.kind !== 'unanswered') return [];
        return [failure(`No webhook answers for ${probe.type.kind}: ${judgement.message}`)];
      }),
    );
    return goodUnless(found.flat(), "Cluster API's webhooks answer.");
  },
};
