import * as z from 'zod';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { GrantedRight } from './granted-rights.ts';
import type { Surroundings } from './surroundings.ts';

const answer = z.object({ status: z.object({ allowed: z.boolean() }) });

/** Whether an account of the driver's namespace may do something, whoever says so. @throws ForbiddenError where one may not ask */
export async function isAllowed({ api, signal }: Surroundings, right: GrantedRight): Promise<boolean> {
  const { account, group, resource, subresource, verb, namespaced } = right;
  const review = namespaced ? 'LocalSubjectAccessReview' : 'SubjectAccessReview';
  const question = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: review,
    ...(namespaced ? { metadata: { namespace } } : {}),
    spec: {
      user: `system:serviceaccount:${namespace}:${account}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
      resourceAttributes: { group, resource, subresource, verb, ...(namespaced ? { namespace } : {}) },
    },
  };
  const folder = namespaced ? `namespaces/${namespace}/` : '';
  const path = `/apis/authorization.k8s.io/v1/${folder}${review.toLowerCase()}s`;
  return (await api.ask(path, question, answer, signal)).status.allowed;
}
