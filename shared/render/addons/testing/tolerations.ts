/** Of pods that may stand on control plane nodes, whatever the value of the taint. */
export const ofControlPlanes = [
  { key: 'node-role.kubernetes.io/master', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
];
