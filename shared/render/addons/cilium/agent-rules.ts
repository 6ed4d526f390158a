import { watchedResources } from './custom-resources.ts';
import { type Rule, read, rule } from './policy-rule.ts';
import type { CiliumLine } from './releases.ts';

export function agentRules(line: CiliumLine): readonly Rule[] {
  return [
    rule('networking.k8s.io', 'networkpolicies', read),
    rule('discovery.k8s.io', 'endpointslices', read),
    rule('', `namespaces services pods nodes${line === 'v1.15' ? ' endpoints' : ''}`, read),
    rule('apiextensions.k8s.io', 'customresourcedefinitions', read),
    rule('cilium.io', watchedResources(line), 'list watch'),
    rule('cilium.io', 'ciliumidentities ciliumendpoints ciliumnodes', 'create'),
    rule('cilium.io', 'ciliumidentities', 'update'),
    rule('cilium.io', 'ciliumendpoints', 'delete get'),
    rule('cilium.io', 'ciliumnodes ciliumnodes/status', 'get update'),
    rule('cilium.io', patched[line], 'patch'),
  ];
}

const commonlyPatched =
  'ciliumendpoints ciliumendpoints/status ciliuml2announcementpolicies/status ciliumbgpnodeconfigs/status';

const patched: Readonly<Record<CiliumLine, string>> = {
  'v1.15': `${commonlyPatched} ciliumnetworkpolicies/status ciliumclusterwidenetworkpolicies/status`,
  'v1.20': commonlyPatched,
};
