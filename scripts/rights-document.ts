import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadAll } from 'js-yaml';
import * as z from 'zod';

const base = fileURLToPath(new URL('../knative/base/', import.meta.url));

/** Files that say who may do what, each with whose rights they are, in the order of the page. */
const files: readonly (readonly [path: string, title: string])[] = [
  ['create/access.yaml', 'The function create'],
  ['resize/access.yaml', 'The function resize'],
  ['upgrade/access.yaml', 'The function upgrade'],
  ['delete/access.yaml', 'The function delete'],
  ['status/access.yaml', 'The function status'],
  ['health/access.yaml', 'The function health'],
  ['dead-letters/access.yaml', 'The function dead-letters'],
  ['sources/objects-access.yaml', 'The source of changes'],
  ['autoscaler/access.yaml', 'Every cluster-autoscaler'],
  ['conductor/access.yaml', "Magnum's conductor"],
];

const role = z.object({
  kind: z.literal('Role'),
  metadata: z.object({ name: z.string(), namespace: z.string() }),
  rules: z.array(
    z.object({ apiGroups: z.array(z.string()), resources: z.array(z.string()), verbs: z.array(z.string()) }),
  ),
});
type Rule = z.infer<typeof role>['rules'][number];

const delegator = z.object({
  kind: z.literal('ClusterRoleBinding'),
  roleRef: z.object({ name: z.literal('system:auth-delegator') }),
});

/** A rule and why it is there. */
export interface ExplainedRule extends Rule {
  /** The comment above it; '' where there is none. */
  readonly why: string;
}

/** The rights that one file grants. */
export interface Rights {
  readonly title: string;
  readonly account: string;
  readonly rules: readonly ExplainedRule[];
  /** Whether the account may have tokens checked. */
  readonly delegates: boolean;
}

export function readRights(): readonly Rights[] {
  return files.map(([path, title]) => rightsOf(readFileSync(`${base}${path}`, 'utf8'), title));
}

/** @throws ZodError for a file without a Role */
export function rightsOf(text: string, title: string): Rights {
  const objects = loadAll(text);
  const { metadata, rules } = role.parse(objects.find((object) => role.safeParse(object).success));
  const comments = commentsOfRules(text);
  return {
    title,
    account: metadata.name,
    rules: rules.map((rule, index) => ({ ...rule, why: comments[index] ?? '' })),
    delegates: objects.some((object) => delegator.safeParse(object).success),
  };
}

/** The comment directly above each rule, in their order: YAML's readers leave comments out. */
function commentsOfRules(text: string): readonly string[] {
  const comments: string[] = [];
  let above: string[] = [];
  for (const line of text.split('\n')) {
    const comment = /^ {2}# (.*)$/.exec(line)?.[1];
    if (line.startsWith('  - apiGroups:')) comments.push(above.join(' '));
    above = comment === undefined ? [] : [...above, comment];
  }
  return comments;
}

/** docs/rights.md. */
export function rightsDocument(): string {
  const parts = readRights().map(({ title, account, rules, delegates }) => {
    const rows = rules.map((rule) => `| ${resourcesOf(rule)} | ${rule.verbs.join(', ')} | ${rule.why} |`);
    const sentences = delegates
      ? ['', 'And the ClusterRole `system:auth-delegator`, to have the tokens of its callers checked.']
      : [];
    return [
      `## ${title}`,
      '',
      `Account \`${account}\`.`,
      '',
      '| resource | verbs | why |',
      '|---|---|---|',
      ...rows,
      ...sentences,
    ];
  });
  return `# Rights

Who may do what in the management cluster: each has an account of its own with a Role in the namespace \`magnum-system\`, and no other right. The tests run
every function under its account and fail where it is forbidden something; \`npm run rights\` names what is granted and no test has used. This page is
generated from \`knative/base\`.

${parts.map((lines) => lines.join('\n')).join('\n\n')}

## What is not granted

* No function may grant rights: the account of the autoscalers comes with knative/.
* None may read or write in another namespace, nor cluster-wide. An autoscaler that the original driver has installed with helm goes with its cluster, but for
  the ClusterRole and the ClusterRoleBinding \`<stack id>-autoscaler\`, which would need that. They do no harm without their account; \`kubectl delete\` with the
  label \`app.kubernetes.io/instance=<stack id>\` removes them.
* With the component health-probe the health function may also \`get\` \`secrets\`, for the authorities of the clusters (\`<stack id>-ca\`).
* With the component oidc a broker's Triggers get \`deliver\` on the functions that take its events, and dead-letters \`system:auth-delegator\`.
`;
}

function resourcesOf({ apiGroups: [group = ''], resources }: Rule): string {
  return resources.map((name) => `\`${group === '' ? name : `${name}.${group}`}\``).join(', ');
}
