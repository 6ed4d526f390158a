import { createHash } from 'node:crypto';
import type { V1Container, V1Deployment, V1DeploymentSpec, V1PodSpec } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { resources } from '../../../kubernetes/resources.ts';
import { clusterNameLabel, managedByLabel, managementNamespace } from '../../metadata.ts';
import { stackNames } from '../../stack-names.ts';
import { imageReference } from '../images/mirror-rules.ts';
import type { AutoscalerFacts } from './autoscaler-facts.ts';
import { autoscalerImage } from './release.ts';

/** Account in the management cluster of every autoscaler; it comes with the functions' manifests, so that they need not grant it. */
const serviceAccountName = 'magnum-cluster-autoscaler';
/** Of container and pods as magnum-cluster-api's Helm chart names them: a selector can never be changed. */
const chartName = 'clusterapi-cluster-autoscaler';
/** Where a field that is no longer rendered would go unnoticed, the hash differs. */
const hashAnnotation = 'magnum.openstack.org/rendered-hash';
const kubeconfigDirectory = '/etc/kubernetes/workload';
/** User of distroless images that run as non-root. */
const nonRoot = 65_532;
const metricsPort = 8085;

/**
 * The cluster autoscaler of one cluster, in the management cluster (original-facts §5.7): it reads pods and nodes through
 * the workload's kubeconfig, and machine deployments with its own account. It waits for the workload: until the cluster has
 * an endpoint there is no kubeconfig Secret and the pod is not started, and afterwards the autoscaler itself waits for its caches.
 */
export function autoscalerDeployment(facts: AutoscalerFacts): Wire<V1Deployment> {
  const { stackId, clusterUid } = facts;
  const spec = deploymentSpec(facts);
  return {
    apiVersion: resources.deployment.apiVersion,
    kind: resources.deployment.kind,
    metadata: {
      name: stackNames(stackId).autoscaler,
      namespace: managementNamespace,
      labels: { ...podLabels(stackId), ...managedByLabel },
      annotations: { [hashAnnotation]: createHash('sha256').update(JSON.stringify(spec)).digest('hex') },
      // It works until the last machine is gone, then the garbage collector takes it with the Cluster.
      ownerReferences: [
        { apiVersion: resources.cluster.apiVersion, kind: resources.cluster.kind, name: stackId, uid: clusterUid },
      ],
    },
    spec,
  };
}

function selectorLabels(stackId: string): Record<string, string> {
  return { 'app.kubernetes.io/instance': stackId, 'app.kubernetes.io/name': chartName };
}

function podLabels(stackId: string): Record<string, string> {
  return { ...selectorLabels(stackId), [clusterNameLabel]: stackId };
}

function deploymentSpec(facts: AutoscalerFacts): Wire<V1DeploymentSpec> {
  const { stackId } = facts;
  return {
    replicas: 1,
    revisionHistoryLimit: 2,
    // Two at a time would both add nodes.
    strategy: { type: 'Recreate' },
    selector: { matchLabels: selectorLabels(stackId) },
    template: { metadata: { labels: podLabels(stackId) }, spec: podSpec(facts) },
  };
}

function podSpec(facts: AutoscalerFacts): Wire<V1PodSpec> {
  const secretName = stackNames(facts.stackId).kubeconfig;
  return {
    serviceAccountName,
    enableServiceLinks: false,
    priorityClassName: 'system-cluster-critical',
    ...placement(facts),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: nonRoot,
      runAsGroup: nonRoot,
      fsGroup: nonRoot,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [container(facts)],
    volumes: [
      {
        name: 'kubeconfig',
        secret: { secretName, defaultMode: 0o440, items: [{ key: 'value', path: 'kubeconfig' }] },
      },
    ],
  };
}

function placement({ nodeSelector }: AutoscalerFacts): Pick<Wire<V1PodSpec>, 'nodeSelector' | 'affinity'> {
  if (Object.keys(nodeSelector).length > 0) return { nodeSelector };
  return { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [openStackControlPlane] } } };
}

/** magnum-cluster-api insists on these nodes; as a preference it also fits a management cluster that has none. */
const openStackControlPlane = {
  weight: 100,
  preference: { matchExpressions: [{ key: 'openstack-control-plane', operator: 'In', values: ['enabled'] }] },
};

function container({ stackId, release, imageRepository }: AutoscalerFacts): Wire<V1Container> {
  const namespaces = `namespace=${managementNamespace},clusterName=${stackId}`;
  return {
    name: chartName,
    image: imageReference(autoscalerImage(release), { prefix: imageRepository, rules: [] }),
    command: ['/cluster-autoscaler'],
    args: [
      '--cloud-provider=clusterapi',
      // Of the workload cluster: it keeps its status there.
      '--namespace=kube-system',
      // Without the namespace it would list the whole management cluster.
      `--node-group-auto-discovery=clusterapi:${namespaces}`,
      `--kubeconfig=${kubeconfigDirectory}/kubeconfig`,
      // Without it the kubeconfig would count for the management side too.
      '--clusterapi-cloud-config-authoritative=true',
      ...(release.enforcesMinimum ? ['--enforce-node-group-min-size=true'] : []),
      // An election ends the process whenever the workload's API does not answer; there is one pod, and without it that waits.
      '--leader-elect=false',
      '--v=4',
    ],
    ...(release.readsV1beta2 ? {} : { env: [{ name: 'CAPI_VERSION', value: 'v1beta1' }] }),
    ports: [{ name: 'metrics', containerPort: metricsPort, protocol: 'TCP' }],
    // It fails after fifteen minutes without success: so a renewed kubeconfig, read at the start only, takes effect.
    livenessProbe: { httpGet: { path: '/health-check', port: metricsPort }, periodSeconds: 30, timeoutSeconds: 5 },
    resources: { requests: { cpu: '20m', memory: '128Mi' }, limits: { memory: '1Gi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [{ name: 'kubeconfig', mountPath: kubeconfigDirectory, readOnly: true }],
  };
}
