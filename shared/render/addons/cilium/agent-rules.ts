import { watchedResources } from './custom-resources.ts';
import { ciliumRule, type Rule, read, rule } from './policy-rule.ts';
import type { CiliumLine } from './releases.ts';

export function agentRules(line: CiliumLine): readonly Rule[] {
  return [
    rule('networking.k8s.io', 'networkpolicies', read),
    rule('discovery.k8s.io', 'endpointslices', read),
    rule('', `namespaces services pods nodes${line === 'v1.15' ? ' endpoints' : ''}`, read),
    rule('apiextensions.k8s.io', 'customresourcedefinitions', read),
    ciliumRule(watchedResources(line), 'list watch'),
    ciliumRule('ciliumidentities ciliumendpoints ciliumnodes', 'create'),
    ciliumRule('ciliumidentities', 'update'),
    ciliumRule('ciliumendpoints', 'delete get'),
    ciliumRule('ciliumnodes ciliumnodes/status', 'get update'),
    ciliumRule(patched[line], 'patch'),
  ];
}

const commonlyPatched =
  'ciliumendpoints ciliumendpoints/status ciliuml2announcementpolicies/status ciliumbgpnodeconfigs/status';

const patched: Readonly<Record<CiliumLine, string>> = {
  'v1.15': `${commonlyPatched} ciliumnetworkpolicies/status ciliumclusterwidenetworkpolicies/status`,
  'v1.20': commonlyPatched,
};
