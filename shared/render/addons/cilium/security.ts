import type { V1PodSecurityContext, V1SecurityContext } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';

/** Nothing but the capabilities that are named, under the SELinux type of containers that may do all on the host. */
export function hostSecurity(...add: string[]): Wire<V1SecurityContext> {
  const capabilities = { ...(add.length === 0 ? {} : { add }), drop: ['ALL'] };
  return { seLinuxOptions: { level: 's0', type: 'spc_t' }, capabilities };
}

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
