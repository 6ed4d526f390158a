import type {
  V1Affinity,
  V1ContainerPort,
  V1EnvVar,
  V1KeyToPath,
  V1PodSecurityContext,
  V1SecretProjection,
  V1SecurityContext,
  V1Volume,
} from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import type { Identity } from '../manifest.ts';
import { configName } from './names.ts';

type Labels = Readonly<Record<string, string>>;

export const partOfCilium = { 'app.kubernetes.io/part-of': 'cilium' } as const;

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

/** Name and labels of an object that belongs to a part, e.g. of its workload or its Service. */
export function partIdentity(name: string, selector: Labels): Identity {
  return { name, labels: partLabels(name, selector) };
}

/** The labels by which a part's pods are selected, and those that say what it is. */
export function partLabels(name: string, selector: Labels): Record<string, string> {
  return { ...selector, 'app.kubernetes.io/name': name, ...partOfCilium };
}

/** Which node a pod runs on and in which namespace, as Cilium's programs ask. */
export const nodeVariables: readonly Wire<V1EnvVar>[] = [
  fieldVariable('K8S_NODE_NAME', 'spec.nodeName'),
  fieldVariable('CILIUM_K8S_NAMESPACE', 'metadata.namespace'),
];

function fieldVariable(name: string, fieldPath: string): Wire<V1EnvVar> {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/** A setting that cilium-config need not have. */
export function configVariable(name: string, key: string): Wire<V1EnvVar> {
  return { name, valueFrom: { configMapKeyRef: { name: configName, key, optional: true } } };
}

/** Nothing but the capabilities that are named, under the SELinux type of containers that may do all on the host. */
export function hostSecurity(...add: string[]): Wire<V1SecurityContext> {
  const capabilities = { ...(add.length === 0 ? {} : { add }), drop: ['ALL'] };
  return { seLinuxOptions: { level: 's0', type: 'spc_t' }, capabilities };
}

/** A container that fails without a message of its own shows the end of its log. */
export const logsOnError = { terminationMessagePolicy: 'FallbackToLogsOnError' };

/** A container that needs no right at all. */
export const noRights = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

export const runtimeSeccomp = { seccompProfile: { type: 'RuntimeDefault' } };

/** The first minor of Kubernetes whose pods name their AppArmor profile in a field; annotations did before. */
const firstWithAppArmorField = 30;

export interface AppArmorParts {
  readonly metadata: { readonly annotations?: Record<string, string> };
  readonly securityContext: Wire<V1PodSecurityContext>;
}

/** What metadata and security context of a pod say so that AppArmor leaves its containers alone. */
export function withoutAppArmor(kubernetesMinor: number, containers: readonly string[]): AppArmorParts {
  if (kubernetesMinor >= firstWithAppArmorField) {
    return { metadata: {}, securityContext: { appArmorProfile: { type: 'Unconfined' } } };
  }
  const prefix = 'container.apparmor.security.beta.kubernetes.io/';
  const annotations = Object.fromEntries(containers.map((name) => [`${prefix}${name}`, 'unconfined']));
  return { metadata: { annotations }, securityContext: {} };
}

/** A port of the node itself; named so that the scheduler knows that it is taken. */
export function hostPort(name: string, port: number): Wire<V1ContainerPort> {
  return { name, containerPort: port, hostPort: port, protocol: 'TCP' };
}

/** Where pods with these labels must, or must not, be on the same node. */
export function onNodeWith(matchLabels: Record<string, string>): Wire<NonNullable<V1Affinity['podAffinity']>> {
  return {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels }, topologyKey: 'kubernetes.io/hostname' },
    ],
  };
}

export function hostVolume(name: string, path: string, type = 'DirectoryOrCreate'): Wire<V1Volume> {
  return { name, hostPath: { path, type } };
}

/** Certificates as files that only their owner reads. */
export function secretVolume(name: string, secrets: readonly Wire<V1SecretProjection>[]): Wire<V1Volume> {
  return { name, projected: { defaultMode: 0o400, sources: secrets.map((secret) => ({ secret })) } };
}

/** A Secret of type kubernetes.io/tls under the file names that a program looks for. */
export function certificateFiles(certificate: string, authority: string): V1KeyToPath[] {
  return [
    { key: 'tls.key', path: `${certificate}.key` },
    { key: 'tls.crt', path: `${certificate}.crt` },
    { key: 'ca.crt', path: `${authority}.crt` },
  ];
}
