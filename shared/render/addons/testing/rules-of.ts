import type { V1ClusterRole, V1PolicyRule, V1RoleBinding } from '@kubernetes/client-node';
import type { Manifest } from '../manifest.ts';
import { linesIn } from './lines-in.ts';
import { find } from './manifests.ts';

type RoleKind = 'ClusterRole' | 'Role';

/** Each with blanks between its words; '' is the core group. @default names: those of any object */
export type RuleRow = readonly [groups: string, resources: string, verbs: string, names?: string];

/** Rules as upstream writes them, in lines to be compared with those of an account or a role. */
export function ruleTable(rows: readonly RuleRow[]): readonly string[] {
  const words = (text: string) => text.split(' ');
  return flat(
    rows.map(([groups, resources, verbs, names]) => ({
      apiGroups: words(groups),
      resources: words(resources),
      verbs: words(verbs),
      ...(names === undefined ? {} : { resourceNames: words(names) }),
    })),
  );
}

/** The same of a text with a line a resource, `group/resource: verbs`, where the core group is nothing. */
export function rulesIn(text: string): readonly string[] {
  const rows = linesIn(text).map((line): RuleRow => {
    const [, group = '', resource = '', verbs = ''] = /^([^/]*)\/(.+): (.+)$/.exec(line) ?? [];
    return [group, resource, verbs];
  });
  return ruleTable(rows);
}

/** What a ServiceAccount of kube-system may by bindings of one kind. */
export function rulesOf(manifests: readonly Manifest[], account: string, kind: RoleKind = 'ClusterRole') {
  const bindings = manifests.filter((manifest) => manifest.kind === `${kind}Binding`) as unknown as V1RoleBinding[];
  const roles = bindings
    .filter(({ subjects }) => subjects?.some(({ name, namespace }) => name === account && namespace === 'kube-system'))
    .map(({ roleRef }) => find<V1ClusterRole>(manifests, roleRef.kind, roleRef.name));
  return flat(roles.flatMap(({ rules = [] }) => rules));
}

/** What a role allows. */
export function rulesOfRole(manifests: readonly Manifest[], kind: RoleKind, name: string) {
  return flat(find<V1ClusterRole>(manifests, kind, name).rules ?? []);
}

/** A line for each group, resource, name and verb, so that it does not matter how rules are put together. */
function flat(rules: readonly V1PolicyRule[]): readonly string[] {
  const lines = rules.flatMap(({ apiGroups = [], resources = [], resourceNames = ['(any)'], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        resourceNames.flatMap((name) => verbs.map((verb) => `${group}/${resource} ${name} ${verb}`)),
      ),
    ),
  );
  return [...new Set(lines)].toSorted();
}
