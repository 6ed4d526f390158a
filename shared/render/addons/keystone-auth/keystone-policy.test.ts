import { describe, expect, test } from 'vitest';
import { isKeystonePolicy, keystonePolicy } from './keystone-policy.ts';

const projectId = 'be2ec97724bd4f14bd0bcf2458dff078';
const resource = { verbs: ['get'], resources: ['pods'], version: '*', namespace: 'default' };
const match = [{ type: 'role', values: ['member'] }];

/** Members may list what runs in `default`; `pvc` of the original is no resource's name, so that it never allowed anything. */
const builtIn = [
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

describe('a file', () => {
  /** The shapes of pkg/identity/keystone/policy.go, v1.29.0 to v1.36.0, and of Magnum's keystone_auth_default_policy.sample. */
  test.each([
    ['with rules of the first form', [{ resource, match }]],
    ['with a path', [{ nonresource: { verbs: ['get'], path: '/healthz' }, match }]],
    ['with a path that is not said, which is passed over', [{ nonresource: { verbs: ['get'] }, match }]],
    [
      'with rules of the second form',
      [
        {
          users: { roles: ['k8s_admin'], projects: ['$PROJECT_ID'] },
          resource_permissions: { "!kube-system/['pods', 'secrets']": ['*'], '*/*': ['get'] },
          nonresource_permissions: { '/healthz': ['get', 'post'] },
        },
      ],
    ],
    ['with a comment field', [{ comment: 'ours', resource, match }]],
    ['with empty fields', [{ resource, match, users: null }]],
    ['without rules, which allows nothing', []],
  ])('%s is a policy, and stays as it is', (_what, rules) => {
    const text = JSON.stringify(rules, null, 2);
    expect(isKeystonePolicy(text)).toBe(true);
    expect(keystonePolicy(text, '$PROJECT_ID')).toBe(JSON.stringify(rules));
  });

  test.each([
    ['that is empty', ''],
    ['that is no JSON', '[{]'],
    ['that is no list', JSON.stringify({ resource, match })],
    ['that is null', 'null'],
    ['of other things than rules', '["a"]'],
    ['with a verb that is no text', JSON.stringify([{ resource: { ...resource, verbs: [1] }, match }])],
    ['with one verb in place of a list', JSON.stringify([{ resource: { ...resource, verbs: 'get' }, match }])],
    [
      'without a version, with which each answer would fail',
      JSON.stringify([{ resource: { ...resource, version: undefined }, match }]),
    ],
    [
      'without a namespace, with which each answer would fail',
      JSON.stringify([{ resource: { ...resource, namespace: undefined }, match }]),
    ],
    ['with a match that is no list', JSON.stringify([{ resource, match: match[0] }])],
    ['with roles that are no list', JSON.stringify([{ users: { roles: 'member' } }])],
    ['with permissions that are a list', JSON.stringify([{ resource_permissions: ['*/*'] }])],
  ])('%s is none, and the built-in one is used', (_what, text) => {
    expect(isKeystonePolicy(text)).toBe(false);
    expect(JSON.parse(keystonePolicy(text, projectId))).toEqual(builtIn);
  });
});

test('the project stands for its placeholder, everywhere', () => {
  const rules = [{ users: { projects: ['$PROJECT_ID'] }, resource_permissions: { '$PROJECT_ID/pods': ['get'] } }];
  expect(JSON.parse(keystonePolicy(JSON.stringify(rules), projectId))).toEqual([
    { users: { projects: [projectId] }, resource_permissions: { [`${projectId}/pods`]: ['get'] } },
  ]);
});

test.each(['a"b', "a$&b$'", 'a\\b'])('a project id cannot break the file: %s', (odd) => {
  const text = JSON.stringify([{ users: { projects: ['$PROJECT_ID'] } }]);
  expect(JSON.parse(keystonePolicy(text, odd))).toEqual([{ users: { projects: [odd] } }]);
});
