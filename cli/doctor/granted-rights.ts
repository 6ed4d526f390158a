import * as z from 'zod';
import type { Manifest } from '../../local/manifests/read-manifests.ts';

const rule = z.object({ apiGroups: z.array(z.string()), resources: z.array(z.string()), verbs: z.array(z.string()) });
type Rule = z.output<typeof rule>;

const role = z.looseObject({
  kind: z.literal('Role'),
  metadata: z.looseObject({ name: z.string() }),
  rules: z.array(rule),
});

const binding = z.looseObject({
  kind: z.enum(['RoleBinding', 'ClusterRoleBinding']),
  roleRef: z.looseObject({ kind: z.string(), name: z.string() }),
  subjects: z.array(z.looseObject({ kind: z.literal('ServiceAccount'), name: z.string() })),
});

/** The one that every cluster has and that knative/ uses (Kubernetes, "Using RBAC Authorization", default roles). */
const builtIn: Readonly<Record<string, readonly Rule[]>> = {
  'ClusterRole system:auth-delegator': [
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ],
};

/** One thing that an account has to be allowed. */
export interface GrantedRight {
  readonly account: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly verb: string;
  /** In the driver's namespace, or cluster-wide. */
  readonly namespaced: boolean;
}

/** Every single right that manifests grant to accounts. @throws Error for a role that is not among them */
export function grantedRights(manifests: readonly Manifest[]): readonly GrantedRight[] {
  const own = parsedAs(role, manifests).map(({ metadata, rules }) => [`Role ${metadata.name}`, rules] as const);
  const roles = new Map<string, readonly Rule[]>([...Object.entries(builtIn), ...own]);
  return parsedAs(binding, manifests).flatMap(({ kind, roleRef, subjects }) => {
    const rules = roles.get(`${roleRef.kind} ${roleRef.name}`);
    if (rules === undefined) throw new Error(`The manifests bind ${roleRef.kind} ${roleRef.name}, which is not there.`);
    const namespaced = kind === 'RoleBinding';
    return subjects.flatMap(({ name: account }) => rules.flatMap((each) => rightsOf(each, { account, namespaced })));
  });
}

function rightsOf({ apiGroups, resources, verbs }: Rule, of: Pick<GrantedRight, 'account' | 'namespaced'>) {
  return apiGroups.flatMap((group) =>
    resources.flatMap((path) => {
      const [resource = '', subresource] = path.split('/');
      return verbs.map((verb): GrantedRight => ({ ...of, group, resource, subresource, verb }));
    }),
  );
}

function parsedAs<T>(schema: z.ZodType<T>, manifests: readonly Manifest[]): T[] {
  return manifests.flatMap((manifest) => schema.safeParse(manifest).data ?? []);
}
