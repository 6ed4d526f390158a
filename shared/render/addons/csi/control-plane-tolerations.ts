/** Lets a pod stand on control plane nodes, where a cluster may have no others. */
export const controlPlaneTolerations = ['master', 'control-plane'].map((role) => ({
  key: `node-role.kubernetes.io/${role}`,
  operator: 'Exists',
  effect: 'NoSchedule',
}));
