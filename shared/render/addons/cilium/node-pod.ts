import type { V1Affinity } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';

export const agentSelector = { 'k8s-app': 'cilium' } as const;

/** What all pods of Cilium ask for. */
export const onLinux = { 'kubernetes.io/os': 'linux' } as const;

export const everywhere = [{ operator: 'Exists' }];

/** Pods that a node cannot do without, whatever taints it has. */
export const nodePod = {
  priorityClassName: 'system-node-critical',
  automountServiceAccountToken: true,
  terminationGracePeriodSeconds: 1,
  hostNetwork: true,
  nodeSelector: onLinux,
  tolerations: everywhere,
};

/** Two nodes at a time. */
export const nodePodUpdate = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } };

/** Where pods with these labels must, or must not, be on the same node. */
export function onNodeWith(matchLabels: Record<string, string>): Wire<NonNullable<V1Affinity['podAffinity']>> {
  return {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels }, topologyKey: 'kubernetes.io/hostname' },
    ],
  };
}
