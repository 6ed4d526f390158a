import * as z from 'zod';
import { type Manifest, readManifests } from '../../local/manifests/read-manifests.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { ApiError, type KubernetesApi } from '../env/kubernetes-api.ts';

/** Audience that the functions accept (design §9). */
const audience = 'magnum-functions';
/** ServiceAccounts are named after their function with this before it. */
const accountPrefix = 'magnum-';
/** ServiceAccount of Magnum's conductor, which may invoke the functions. */
const callerAccount = 'magnum-conductor';
/** Somebody who may not. */
const strangerAccount = 'stranger';
/** ServiceAccount of the ApiServerSource. */
const sourceAccount = 'magnum-objects';

const serviceAccounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** Where the objects of knative/ are created that say who may do what. */
const collections = new Map([
  ['ServiceAccount', serviceAccounts],
  ['Role', `${rbac}/namespaces/${namespace}/roles`],
  ['RoleBinding', `${rbac}/namespaces/${namespace}/rolebindings`],
  ['ClusterRoleBinding', `${rbac}/clusterrolebindings`],
]);

export interface FunctionAccess {
  /** Tokens by which the functions reach the API server, by function name. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Token of the create function. */
  readonly functionToken: string;
  /** Token by which a sender invokes the functions. */
  readonly callerToken: string;
  /** Token by which the ApiServerSource watches. */
  readonly sourceToken: string;
  /** Token of somebody who may not invoke them. */
  readonly strangerToken: string;
}

/** Creates the accounts and rights of knative/ where they are missing, and gives tokens for a day. */
export async function grantFunctionAccess(api: KubernetesApi): Promise<FunctionAccess> {
  const manifests = await readManifests();
  for (const manifest of manifests) {
    const path = collections.get(manifest.kind);
    if (path !== undefined) await ensure(api, path, manifest);
  }
  await ensure(api, serviceAccounts, { metadata: { name: strangerAccount } });
  const tokens = new Map<string, string>();
  for (const account of functionAccounts(manifests)) {
    tokens.set(account.slice(accountPrefix.length), await requestToken(api, account));
  }
  return {
    tokens: Object.fromEntries(tokens),
    functionToken: tokens.get('create') ?? '',
    callerToken: await requestToken(api, callerAccount, audience),
    sourceToken: await requestToken(api, sourceAccount),
    strangerToken: await requestToken(api, strangerAccount, audience),
  };
}

const service = z.looseObject({
  apiVersion: z.literal('serving.knative.dev/v1'),
  spec: z.looseObject({ template: z.looseObject({ spec: z.looseObject({ serviceAccountName: z.string() }) }) }),
});

/** A Service without an account of its own does not use the API. */
function functionAccounts(manifests: readonly Manifest[]): readonly string[] {
  return manifests.flatMap((manifest) => service.safeParse(manifest).data?.spec.template.spec.serviceAccountName ?? []);
}

async function ensure(api: KubernetesApi, path: string, object: object): Promise<void> {
  try {
    await api.call('POST', path, object);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}

const tokenRequest = z.object({ status: z.object({ token: z.string() }) });

async function requestToken(api: KubernetesApi, account: string, forAudience?: string): Promise<string> {
  const audiences = forAudience === undefined ? {} : { audiences: [forAudience] };
  const answer = await api.call('POST', `${serviceAccounts}/${account}/token`, {
    spec: { ...audiences, expirationSeconds: 24 * 3600 },
  });
  return tokenRequest.parse(answer).status.token;
}
