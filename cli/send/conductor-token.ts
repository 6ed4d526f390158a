import * as z from 'zod';
import { Caller } from '../../shared/kubernetes/caller.ts';
import { isNotFound } from '../../shared/kubernetes/errors.ts';
import { objectPath } from '../../shared/kubernetes/object-path.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import type { ManagementCluster } from '../management-cluster.ts';

/** The account by which Magnum's conductor invokes the functions (knative/base/conductor). */
const account = 'magnum-conductor';
const audience = 'magnum-functions';
/** Seconds: the least that the API server grants. */
const lifetime = 600;

const apiVersion = 'authentication.k8s.io/v1';
const kind = 'TokenRequest';
const withToken = z.object({ status: z.object({ token: z.string().min(1) }) });

/** A short-lived token of the conductor's account, as the kubeconfig's user may have one. @throws Error in one sentence */
export async function conductorToken(
  { connection, namespace }: ManagementCluster,
  signal: AbortSignal,
): Promise<string> {
  // A subresource, which the client of the driver's own objects does not know.
  const caller = new Caller(connection, { userAgent: 'magnum-capi' });
  const body = { apiVersion, kind, spec: { audiences: [audience], expirationSeconds: lifetime } };
  try {
    const answer = await caller.call({
      verb: 'create',
      method: 'POST',
      apiVersion,
      kind,
      resource: 'serviceaccounts/token',
      name: account,
      namespace,
      path: `${objectPath(resources.serviceAccount, { namespace, name: account })}/token`,
      body: JSON.stringify(body),
      repeatable: true,
      signal,
    });
    return withToken.parse(answer).status.token;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const message = `There is no ServiceAccount ${namespace}/${account}: apply knative/base/conductor, or give a token by --token-file.`;
    throw new Error(message, { cause: error });
  } finally {
    caller.close();
  }
}
