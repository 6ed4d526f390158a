import type { V1ContainerPort, V1EnvVar } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { configName } from './names.ts';

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

/** A container that fails without a message of its own shows the end of its log. */
export const logsOnError = { terminationMessagePolicy: 'FallbackToLogsOnError' };

/** A port of the node itself; named so that the scheduler knows that it is taken. */
export function hostPort(name: string, port: number): Wire<V1ContainerPort> {
  return { name, containerPort: port, hostPort: port, protocol: 'TCP' };
}
