import * as z from 'zod';
import { type Manifest, readManifests } from '../../local/manifests/read-manifests.ts';
import type { Right } from './right.ts';

const role = z.looseObject({
  kind: z.enum(['Role', 'ClusterRole']),
  metadata: z.looseObject({ name: z.string() }),
  rules: z.array(
    z.object({ apiGroups: z.array(z.string()), resources: z.array(z.string()), verbs: z.array(z.string()) }),
  ),
});

type Rules = z.infer<typeof role>['rules'];

const binding = z.looseObject({
  kind: z.enum(['RoleBinding', 'ClusterRoleBinding']),
  roleRef: z.looseObject({ kind: z.string(), name: z.string() }),
  subjects: z.array(z.looseObject({ kind: z.literal('ServiceAccount'), name: z.string() })),
});

/** Roles that every cluster has (Kubernetes, "Using RBAC Authorization", default roles). */
const builtIn: Readonly<Record<string, Rules>> = {
  'ClusterRole system:auth-delegator': [
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ],
};

/** Every single right that the manifests of knative/ grant to an account. @throws Error for a Role that is not there */
export async function grantedRights(): Promise<readonly Right[]> {
  const manifests = await readManifests();
  const roles = new Map([...Object.entries(builtIn), ...rolesOf(manifests)]);
  return parsedAs(binding, manifests).flatMap(({ roleRef, subjects }) => {
    const rules = roles.get(`${roleRef.kind} ${roleRef.name}`);
    if (rules === undefined) throw new Error(`The manifests bind ${roleRef.kind} ${roleRef.name}, which is not there.`);
    return subjects.flatMap(({ name }) => rightsOf(name, rules));
  });
}

function rolesOf(manifests: readonly Manifest[]): [string, Rules][] {
  return parsedAs(role, manifests).map(({ kind, metadata, rules }) => [`${kind} ${metadata.name}`, rules]);
}

function rightsOf(account: string, rules: Rules): Right[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => ({ account, group, resource, verb }))),
    ),
  );
}

function parsedAs<T>(schema: z.ZodType<T>, manifests: readonly Manifest[]): T[] {
  return manifests.flatMap((manifest) => {
    const parsed = schema.safeParse(manifest);
    return parsed.success ? [parsed.data] : [];
  });
}
