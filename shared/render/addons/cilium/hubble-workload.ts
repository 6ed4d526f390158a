import type { V1PodSpec, V1ServicePort } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { deployment, type Manifest, service, serviceAccount } from '../manifest.ts';
import { onLinux } from './node-pod.ts';
import { partIdentity } from './part-labels.ts';

interface HubbleWorkload {
  /** Of all its objects. */
  readonly name: string;
  /** Of its Service, beside the number 80. */
  readonly port: Omit<Wire<V1ServicePort>, 'port'>;
  readonly podSpec: Wire<V1PodSpec>;
}

/** One pod behind a Service, with an account of its own. */
export function hubbleWorkload({ name, port, podSpec }: HubbleWorkload): readonly Manifest[] {
  const selector = { 'k8s-app': name };
  const identity = partIdentity(name, selector);
  return [
    serviceAccount({ name }),
    service(identity, { type: 'ClusterIP', selector, ports: [{ ...port, port: 80 }] }),
    deployment(identity, {
      replicas: 1,
      selector: { matchLabels: selector },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels: { ...identity.labels } },
        spec: { ...podSpec, serviceAccountName: name, nodeSelector: onLinux },
      },
    }),
  ];
}
