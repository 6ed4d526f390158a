import * as z from 'zod';
import { isNotFound } from '../../shared/kubernetes/errors.ts';
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';
import type { ManagementCluster } from '../management-cluster.ts';

/** The account by which Magnum's conductor invokes the functions (knative/base/conductor). */
const account = 'magnum-conductor';
const audience = 'magnum-functions';
/** Seconds: the least that the API server grants. */
const lifetime = 600;

interface TokenRequest extends KubernetesObject {
  readonly spec: { readonly audiences: readonly string[]; readonly expirationSeconds: number };
  readonly status?: unknown;
}

/** A subresource of the account, so the path names it. */
const tokenRequest: ResourceType<TokenRequest> = {
  apiVersion: 'v1',
  kind: 'TokenRequest',
  plural: `serviceaccounts/${account}/token`,
  namespaced: true,
  confidential: true,
};

const withToken = z.object({ status: z.object({ token: z.string().min(1) }) });

/** A short-lived token of the conductor's account, as the kubeconfig's user may have one. @throws Error in one sentence */
export async function conductorToken({ client, namespace }: ManagementCluster, signal: AbortSignal): Promise<string> {
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { namespace },
    spec: { audiences: [audience], expirationSeconds: lifetime },
  };
  try {
    return withToken.parse(await client.create(tokenRequest, request, { repeatable: true, signal })).status.token;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const message = `There is no ServiceAccount ${namespace}/${account}: apply knative/base/conductor, or give a token by --token-file.`;
    throw new Error(message, { cause: error });
  }
}
