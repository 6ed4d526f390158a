import { resources } from '../../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../../shared/render/metadata.ts';
import { type Check, failure, goodUnless } from '../check.ts';
import { wantedNames } from '../installed-objects.ts';
import { observedTypes } from '../observed-types.ts';

/** Kinds that no other check looks at. */
const types = [resources.serviceAccount, observedTypes.networkPolicy, resources.podDisruptionBudget];

export const objectsCheck: Check = {
  id: 'objects',
  description: 'Accounts, NetworkPolicies and disruption budgets of knative/base are there.',
  remedy: 'Apply knative/ as a whole: kubectl apply -k knative/site.',
  needs: ['namespace'],
  async run(surroundings) {
    const { client, signal } = surroundings;
    const wanted = types.flatMap((type) => wantedNames(surroundings, type).map((name) => ({ type, name })));
    const problems = await Promise.all(
      wanted.map(async ({ type, name }) => {
        const found = await client.find(type, { namespace, name }, { signal });
        return found === undefined ? [failure(`${type.kind} ${name} is missing.`)] : [];
      }),
    );
    return goodUnless(problems.flat(), `All ${wanted.length} accounts, policies and disruption budgets are there.`);
  },
};
