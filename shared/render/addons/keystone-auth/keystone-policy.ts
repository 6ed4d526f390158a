import * as z from 'zod';

const texts = z.array(z.string());
const permissions = z.record(z.string(), texts).nullish();

/**
 * What k8s-keystone-auth reads of its policies (`pkg/identity/keystone/policy.go` of cloud-provider-openstack). Without a
 * version or a namespace of `resource` each of its answers ends in a fault; anything else may be missing there.
 */
const policies = z.array(
  z.looseObject({
    resource: z.looseObject({ verbs: texts, resources: texts, version: z.string(), namespace: z.string() }).nullish(),
    nonresource: z.looseObject({ verbs: texts, path: z.string().nullish() }).nullish(),
    match: z.array(z.looseObject({ type: z.string(), values: texts })).nullish(),
    users: permissions,
    resource_permissions: permissions,
    nonresource_permissions: permissions,
  }),
);

/** Whether the text is a policy file that k8s-keystone-auth understands. */
export function isKeystonePolicy(text: string): boolean {
  return readPolicies(text) !== null;
}

/**
 * The policies of a cluster, as JSON: those of the operator's file with the project for `$PROJECT_ID`, as Magnum's sample file
 * has it, or else the ones of magnum-cluster-api.
 */
export function keystonePolicy(text: string, projectId: string): string {
  const escaped = JSON.stringify(projectId).slice(1, -1);
  const filled = text.replaceAll('$PROJECT_ID', () => escaped);
  return JSON.stringify(readPolicies(filled) ?? defaultPolicies(projectId));
}

function readPolicies(text: string): unknown {
  const content = parsed(text);
  return policies.safeParse(content).success ? content : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Members of the project may list what runs in the namespace `default` (original-facts §5.6). */
function defaultPolicies(projectId: string) {
  return [
    {
      resource: {
        verbs: ['list'],
        resources: ['pods', 'services', 'deployments', 'persistentvolumeclaims'],
        version: '*',
        namespace: 'default',
      },
      match: [
        { type: 'role', values: ['member'] },
        { type: 'project', values: [projectId] },
      ],
    },
  ];
}
