import { clusterRole, clusterRoleBinding, type Manifest, role, roleBinding } from '../manifest.ts';
import { agentRules } from './agent-rules.ts';
import type { Installation } from './installation.ts';
import { operatorRules } from './operator-rules.ts';
import { partOfCilium } from './part-labels.ts';
import { type Rule, read, rule } from './policy-rule.ts';

/** What agents and operator may do in the whole cluster and in their own namespace. */
export function roles({ line }: Installation): readonly Manifest[] {
  return [
    ...clusterGrant('cilium', agentRules(line)),
    ...clusterGrant('cilium-operator', operatorRules(line)),
    ...namespaceGrant('cilium-config-agent', 'cilium', [rule('', 'configmaps', read)]),
    ...(line === 'v1.15' ? [] : namespaceGrant('cilium-operator-ztunnel', 'cilium-operator', ztunnelRules)),
  ];
}

/** The operator would install and remove ztunnel itself. */
const ztunnelRules = [rule('apps', 'daemonsets', `create delete ${read}`), rule('', 'serviceaccounts', read)];

/** A ClusterRole and its binding, which have the account's name. */
export function clusterGrant(serviceAccount: string, rules: readonly Rule[]): readonly Manifest[] {
  const identity = { name: serviceAccount, labels: partOfCilium };
  return [clusterRole(identity, rules), clusterRoleBinding(identity, { role: serviceAccount, serviceAccount })];
}

/** A Role and its binding of the same name. */
export function namespaceGrant(name: string, serviceAccount: string, rules: readonly Rule[]): readonly Manifest[] {
  const identity = { name, labels: partOfCilium };
  return [role(identity, rules), roleBinding(identity, { role: name, serviceAccount })];
}
