import { type NodeFile, nodeFile } from './node-file.ts';

/** Flags' own values (kube-apiserver), said because the file has no defaults for them in every version. */
const flagDefaults = { authorizedTTL: '5m0s', unauthorizedTTL: '30s' };

/** The authenticator is on the same machine and decides by what it holds in memory. */
const timeout = '5s';

/** Every user that the authenticator has let in has this key, and nobody else (cloud-provider-openstack, pkg/identity/keystone). */
const isOfKeystone = "'alpha.kubernetes.io/identity/project/id' in request.extra";

/** Version of SubjectAccessReview and TokenReview; the authenticator refuses any other (Handler, same package). */
export const reviewVersion = 'v1beta1';

interface AuthorizationOptions {
  /** Of apiserver.config.k8s.io, which is v1beta1 from Kubernetes 1.30 on and v1 from 1.32 on. */
  readonly version: 'v1beta1' | 'v1';
  readonly directory: string;
  /** Kubeconfig by which the API server reaches the authenticator. */
  readonly webhookConfig: string;
}

/**
 * The API server's file that says who is asked whether a request is allowed: Node, RBAC, then the authenticator, but that only about
 * users of Keystone. To all others the answer is 403 by RBAC alone, whether the authenticator runs or not (docs/adr/0017).
 */
export function authorizationFile({ version, directory, webhookConfig }: AuthorizationOptions): NodeFile {
  const keystone = {
    ...flagDefaults,
    timeout,
    subjectAccessReviewVersion: reviewVersion,
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: webhookConfig },
    matchConditions: [{ expression: isOfKeystone }],
  };
  const configuration = {
    apiVersion: `apiserver.config.k8s.io/${version}`,
    kind: 'AuthorizationConfiguration',
    authorizers: [
      { type: 'Node', name: 'node' },
      { type: 'RBAC', name: 'rbac' },
      { type: 'Webhook', name: 'keystone', webhook: keystone },
    ],
  };
  return nodeFile(`${directory}/authorization.json`, '0644', JSON.stringify(configuration));
}
