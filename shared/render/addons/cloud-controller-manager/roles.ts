import { clusterRole, clusterRoleBinding, type Manifest } from '../manifest.ts';

/** ServiceAccount of the cloud controller manager. */
export const controllerManagerAccount = 'cloud-controller-manager';

/** What upstream grants, alike in all its releases (`manifests/controller-manager/cloud-controller-manager-roles.yaml`). */
export function controllerManagerRoles(): readonly Manifest[] {
  return [...granted(controllerManagerAccount, managerRules), ...granted('cloud-node-controller', nodeRules)];
}

function granted(account: string, rules: typeof nodeRules): readonly Manifest[] {
  const name = `system:${account}`;
  return [clusterRole({ name }, rules), clusterRoleBinding({ name }, { role: name, serviceAccount: account })];
}

const reading = ['get', 'list', 'watch'];

/** Of the account as which the manager runs one controller under `--use-service-account-credentials`. */
const nodeRules = [
  rule(['nodes'], ['*']),
  rule(['nodes/status'], ['patch']),
  rule(['events'], ['create', 'patch', 'update']),
];

const managerRules = [
  ...nodeRules,
  rule(['leases'], ['get', 'create', 'update'], 'coordination.k8s.io'),
  rule(['persistentvolumes'], ['*']),
  rule(['services/status'], ['patch']),
  rule(['services'], ['list', 'patch', 'update', 'watch']),
  rule(['serviceaccounts/token'], ['create']),
  rule(['serviceaccounts'], ['create', 'get']),
  rule(['endpoints'], ['create', 'update', ...reading]),
  rule(['configmaps', 'secrets'], reading),
];

function rule(resources: string[], verbs: string[], apiGroup = '') {
  return { apiGroups: [apiGroup], resources, verbs };
}
