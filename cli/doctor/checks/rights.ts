import { isAllowed } from '../access.ts';
import { type Check, type Finding, failure, goodUnless } from '../check.ts';
import { type GrantedRight, grantedRights } from '../granted-rights.ts';
import type { Surroundings } from '../surroundings.ts';

export const rightsCheck: Check = {
  id: 'rights',
  description:
    'Each account may do everything that its Role in knative/base grants ([rights.md](rights.md)), and have tokens reviewed where it has to: the API server is asked for each right by itself (SubjectAccessReview).',
  remedy: 'Apply knative/ as a whole: a Role or its binding is missing, or of another release.',
  needs: ['namespace'],
  async run(surroundings) {
    const rights = grantedRights(surroundings.manifests);
    const findings: Finding[] = [];
    // An account after the other: hundreds of questions at once would be a flood.
    for (const [account, own] of Map.groupBy(rights, (right) => right.account)) {
      const missing = await missingRights(surroundings, own);
      if (missing.length > 0) findings.push(failure(`${account} may not ${describedRights(missing)}.`));
    }
    return goodUnless(findings, `All ${rights.length} rights of the accounts are granted.`);
  },
};

async function missingRights(
  surroundings: Surroundings,
  rights: readonly GrantedRight[],
): Promise<readonly GrantedRight[]> {
  const allowed = await Promise.all(rights.map((right) => isAllowed(surroundings, right)));
  return rights.filter((_right, index) => allowed[index] === false);
}

/** E.g. `get, list clusters.cluster.x-k8s.io; patch secrets`. */
export function describedRights(rights: readonly GrantedRight[]): string {
  const verbs = Map.groupBy(rights, ({ group, resource, subresource }) => {
    const path = subresource === undefined ? resource : `${resource}/${subresource}`;
    return group === '' ? path : `${path}.${group}`;
  });
  return [...verbs].map(([what, each]) => `${each.map(({ verb }) => verb).join(', ')} ${what}`).join('; ');
}
