import type { V1PolicyRule } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';

export type Rule = Wire<V1PolicyRule>;

/** Verbs of what a client keeps a copy of. */
export const read = 'get list watch';

/** Resources and verbs stand with spaces between them. */
export function rule(apiGroup: string, resources: string, verbs: string): Rule {
  return { apiGroups: [apiGroup], resources: resources.split(' '), verbs: verbs.split(' ') };
}

/** A rule on Cilium's own resources. */
export function ciliumRule(resources: string, verbs: string): Rule {
  return rule('cilium.io', resources, verbs);
}

/** The rule for the objects with these names alone. */
export function named(given: Rule, names: readonly string[]): Rule {
  return { ...given, resourceNames: [...names] };
}
