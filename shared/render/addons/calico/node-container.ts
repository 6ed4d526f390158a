import type { V1Container, V1EnvVar } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { configName } from './calico-config.ts';

type Settings = Omit<Wire<V1Container>, 'name' | 'image'>;

/** A container that changes the node: it has all rights. */
export function nodeContainer(identity: Pick<V1Container, 'name'> & { readonly image: string }, settings: Settings) {
  return { ...identity, imagePullPolicy: 'IfNotPresent', securityContext: { privileged: true }, ...settings };
}

/** Addresses of the API server that an operator may give, where no Service leads to it. */
export const serviceEndpoint = [{ configMapRef: { name: 'kubernetes-services-endpoint', optional: true } }];

/** A variable with the name of the node. */
export function ofNode(variable: string): V1EnvVar {
  return { name: variable, valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } };
}

/** A variable with a value of `calico-config`. */
export function ofConfig(variable: string, key: string): V1EnvVar {
  return { name: variable, valueFrom: { configMapKeyRef: { name: configName, key } } };
}
