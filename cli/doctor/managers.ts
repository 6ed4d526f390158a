import { resources } from '../../shared/kubernetes/resources.ts';
import { listAt, textAt, textsAt } from '../../shared/status/views/json-part.ts';
import { conditionProblem } from './condition.ts';
import type { Surroundings } from './surroundings.ts';

/** Providers as clusterctl names them in the label of all that it installs. */
export const providers = [
  'cluster-api',
  'bootstrap-kubeadm',
  'control-plane-kubeadm',
  'infrastructure-openstack',
] as const;
export type Provider = (typeof providers)[number];

const providerLabel = 'cluster.x-k8s.io/provider';

/** A Deployment of a provider's manager. */
export interface Manager {
  readonly provider: string;
  readonly namespace: string;
  readonly name: string;
  /** Arguments of its containers. */
  readonly args: readonly string[];
  /** Why it is not available; null where it is. */
  readonly problem: string | null;
}

/** The managers of providers, wherever they are installed. @throws ForbiddenError where Deployments of all namespaces are not to be read */
export async function managersOf({ client, signal }: Surroundings, provider?: Provider): Promise<readonly Manager[]> {
  const labelSelector = provider === undefined ? providerLabel : `${providerLabel}=${provider}`;
  const found = await client.list(resources.deployment, { labelSelector, signal });
  return found.map((deployment) => ({
    provider: textsAt(deployment, 'metadata', 'labels')[providerLabel] ?? '',
    namespace: textAt(deployment, 'metadata', 'namespace') ?? '',
    name: textAt(deployment, 'metadata', 'name') ?? '',
    args: listAt(deployment, 'spec', 'template', 'spec', 'containers').flatMap((container) =>
      listAt(container, 'args').map(String),
    ),
    problem: conditionProblem(deployment, 'Available'),
  }));
}
