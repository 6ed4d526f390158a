import * as z from 'zod';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { ApiError, type KubernetesApi } from '../env/kubernetes-api.ts';

/** ServiceAccount of the create function, with no more rights than it needs. */
const functionAccount = 'magnum-create';
/** ServiceAccount of Magnum's conductor, which may invoke the function. */
const callerAccount = 'magnum-conductor';
/** Audience that the functions accept (design §9). */
const audience = 'magnum-functions';

const rbac = 'rbac.authorization.k8s.io';

const functionRules = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'patch', 'delete'] },
  { apiGroups: ['cluster.x-k8s.io'], resources: ['clusters'], verbs: ['get', 'list', 'create', 'patch'] },
  { apiGroups: ['cluster.x-k8s.io'], resources: ['clusterclasses'], verbs: ['get', 'create', 'patch'] },
  {
    apiGroups: ['controlplane.cluster.x-k8s.io'],
    resources: ['kubeadmcontrolplanetemplates'],
    verbs: ['create', 'patch'],
  },
  { apiGroups: ['bootstrap.cluster.x-k8s.io'], resources: ['kubeadmconfigtemplates'], verbs: ['create', 'patch'] },
  {
    apiGroups: ['infrastructure.cluster.x-k8s.io'],
    resources: ['openstackclustertemplates', 'openstackmachinetemplates'],
    verbs: ['create', 'patch'],
  },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'create', 'patch'] },
];

const callerRules = [{ apiGroups: ['functions.magnum.openstack.org'], resources: ['create'], verbs: ['invoke'] }];

export interface FunctionAccess {
  /** Token by which the function reaches the API server. */
  readonly functionToken: string;
  /** Token by which a sender invokes the function. */
  readonly callerToken: string;
  /** Token of somebody who may not invoke it. */
  readonly strangerToken: string;
}

/** Creates the accounts and their rights where they are missing, and gives tokens for an hour. */
export async function grantFunctionAccess(api: KubernetesApi): Promise<FunctionAccess> {
  for (const name of [functionAccount, callerAccount, 'stranger']) {
    await ensure(api, `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name } });
  }
  await grant(api, functionAccount, functionRules);
  await grant(api, callerAccount, callerRules);
  await ensure(api, `/apis/${rbac}/v1/clusterrolebindings`, {
    metadata: { name: functionAccount },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'system:auth-delegator' },
    subjects: [{ kind: 'ServiceAccount', name: functionAccount, namespace }],
  });
  return {
    functionToken: await requestToken(api, functionAccount),
    callerToken: await requestToken(api, callerAccount, audience),
    strangerToken: await requestToken(api, 'stranger', audience),
  };
}

async function grant(api: KubernetesApi, name: string, rules: readonly object[]): Promise<void> {
  const path = `/apis/${rbac}/v1/namespaces/${namespace}`;
  await ensure(api, `${path}/roles`, { metadata: { name }, rules });
  await ensure(api, `${path}/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
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
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const audiences = forAudience === undefined ? {} : { audiences: [forAudience] };
  const answer = await api.call('POST', path, { spec: { ...audiences, expirationSeconds: 3600 } });
  return tokenRequest.parse(answer).status.token;
}
