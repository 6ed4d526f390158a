import { ForbiddenError, KubernetesError, UnavailableError } from '../../shared/kubernetes/errors.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { Surroundings } from './surroundings.ts';

const name = 'magnum-doctor-probe';
const controlPlaneTemplate = {
  apiVersion: resources.kubeadmControlPlaneTemplate.apiVersion,
  kind: 'KubeadmControlPlaneTemplate',
  name,
};
const infrastructureTemplate = {
  apiVersion: resources.openStackClusterTemplate.apiVersion,
  kind: 'OpenStackClusterTemplate',
  name,
};

/** Objects whose creation Cluster API's webhooks judge, one for each manager; they are never stored. */
export const probes: readonly { readonly type: ResourceType; readonly spec: object }[] = [
  {
    type: resources.clusterClass,
    spec: {
      controlPlane: { templateRef: controlPlaneTemplate },
      infrastructure: { templateRef: infrastructureTemplate },
    },
  },
  {
    type: resources.clusterResourceSet,
    spec: {
      strategy: 'Reconcile',
      clusterSelector: { matchLabels: { [name]: '' } },
      resources: [{ kind: 'Secret', name }],
    },
  },
  {
    type: resources.kubeadmConfigTemplate,
    spec: { template: { spec: { preKubeadmCommands: ['true'] } } },
  },
  {
    type: resources.kubeadmControlPlaneTemplate,
    spec: { template: { spec: { kubeadmConfigSpec: { preKubeadmCommands: ['true'] } } } },
  },
];

/** What becomes of a probe. `unanswered`: the API server could not ask a webhook, or gave no answer itself. */
export type Judgement =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'unanswered'; readonly message: string };

/**
 * Has the API server judge an object, and its webhooks.
 * @throws ForbiddenError where whoever asks may not
 */
export async function judge(
  { client, signal }: Surroundings,
  { type, spec }: (typeof probes)[number],
): Promise<Judgement> {
  const object: CustomObject = { metadata: { name, namespace }, spec };
  try {
    await client.create(type, object, { signal });
    return { kind: 'accepted' };
  } catch (error) {
    if (!(error instanceof KubernetesError) || isForbidden(error)) throw error;
    return { kind: error instanceof UnavailableError ? 'unanswered' : 'refused', message: error.message };
  }
}

/** A webhook may object with the same status as the API server where somebody may not ask. */
function isForbidden(error: KubernetesError): boolean {
  return error instanceof ForbiddenError && !error.message.includes('denied the request');
}
