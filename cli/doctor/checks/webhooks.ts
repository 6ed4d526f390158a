import { type Check, failure, goodUnless } from '../check.ts';
import { objection, probes } from '../probe-objects.ts';

/** What the API server says where a webhook does not answer, not where it objects. */
const unanswered = /failed calling webhook|conversion webhook .* failed/;

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
        const message = await objection(surroundings, probe);
        if (message === null || !unanswered.test(message)) return [];
        return [failure(`No webhook answers for ${probe.type.kind}: ${message}`)];
      }),
    );
    return goodUnless(found.flat(), "Cluster API's webhooks answer.");
  },
};
