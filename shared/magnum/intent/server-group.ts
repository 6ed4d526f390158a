import type { ServerGroupIntent } from '../cluster-intent.ts';
import { serverGroupPolicies } from '../labels/nodes.ts';
import type { LabelReader } from '../reading/label-reader.ts';

/** A server group has one policy: the first that is listed. */
export function serverGroupIntent(labels: LabelReader): ServerGroupIntent {
  const [first] = labels.read('server_group_policies');
  return {
    policy: serverGroupPolicies.find((policy) => policy === first) ?? 'soft-anti-affinity',
    differentFailureDomain: labels.read('different_failure_domain'),
  };
}
