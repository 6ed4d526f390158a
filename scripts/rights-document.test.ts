import { describe, expect, test } from 'vitest';
import { readRights, rightsDocument, rightsOf } from './rights-document.ts';

describe.each(readRights().map((rights) => [rights.account, rights] as const))(
  'the rights of %s',
  (_account, { rules }) => {
    test.each(rules.map((rule) => [`${rule.verbs} on ${rule.resources}`, rule] as const))(
      'say why they are needed: %s',
      (_right, { why, apiGroups }) => {
        expect(why).not.toBe('');
        // The page shows one.
        expect(apiGroups).toHaveLength(1);
      },
    );
  },
);

test('the comment above a rule is its reason, over several lines too, and that of another is not', () => {
  const text = `# Of the file.
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: one
  namespace: magnum-system
rules:
  # Because of this
  # and that.
  - apiGroups: [apps]
    resources: [deployments]
    verbs: [get]
  - apiGroups: [""]
    resources: [secrets]
    verbs: [get]
`;
  expect(rightsOf(text, 'One').rules.map(({ why }) => why)).toEqual(['Because of this and that.', '']);
});

test('the page names every account and no secret way around it', () => {
  const page = rightsDocument();
  for (const { account } of readRights()) expect(page).toContain(`\`${account}\``);
  expect(page).toContain('| `deployments.apps` | get, create, patch |');
});
