import type { V1PodDisruptionBudgetSpec, V1PodSpec, V1Probe } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { addonNamespace, deployment, type Manifest } from '../manifest.ts';

const name = 'calico-kube-controllers';
const labels = { 'k8s-app': name };
const selector = { matchLabels: labels };

interface PodDisruptionBudget extends Manifest {
  readonly spec: Wire<V1PodDisruptionBudgetSpec>;
}

/** The controllers that keep Calico's data in step with Kubernetes: addresses of nodes that are gone, for one. */
export function kubeControllers(image: string): readonly Manifest[] {
  const budget: PodDisruptionBudget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: addonNamespace, labels },
    spec: { maxUnavailable: 1, selector },
  };
  const workload = deployment(
    { name, labels },
    // Only one may write.
    {
      replicas: 1,
      selector,
      strategy: { type: 'Recreate' },
      template: { metadata: { name, namespace: addonNamespace, labels }, spec: pod(image) },
    },
  );
  return [budget, workload];
}

function pod(image: string): Wire<V1PodSpec> {
  return {
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [
      { key: 'CriticalAddonsOnly', operator: 'Exists' },
      { key: 'node-role.kubernetes.io/master', effect: 'NoSchedule' },
      { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
    ],
    serviceAccountName: name,
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    priorityClassName: 'system-cluster-critical',
    containers: [
      {
        name,
        image,
        imagePullPolicy: 'IfNotPresent',
        env: [
          { name: 'ENABLED_CONTROLLERS', value: 'node,loadbalancer' },
          { name: 'DATASTORE_TYPE', value: 'kubernetes' },
        ],
        livenessProbe: { ...check('-l'), initialDelaySeconds: 10, failureThreshold: 6, timeoutSeconds: 10 },
        readinessProbe: check('-r'),
        securityContext: { runAsNonRoot: true },
      },
    ],
  };
}

function check(flag: string): Wire<V1Probe> {
  return { exec: { command: ['/usr/bin/check-status', flag] }, periodSeconds: 10 };
}
