import { expect, test } from 'vitest';
import type { AuditedCall } from './audited-call.ts';
import { refusedRights } from './refused-rights.ts';

const call: AuditedCall = {
  account: 'magnum-status',
  group: '',
  resource: 'secrets',
  verb: 'list',
  status: 403,
  path: '/api/v1/namespaces/magnum-system/secrets?limit=250',
};
const right = 'magnum-status: list secrets';

test('what was refused and never allowed is a right that is missing, told once', () => {
  expect(refusedRights([call, call], new Set(['magnum-create: list secrets']))).toEqual([`${right}, ${call.path}`]);
});

test('what was allowed at another time is none', () => {
  expect(refusedRights([call], new Set([right]))).toEqual([]);
});

test.each(['/api/v1/namespaces/kube-system/secrets', '/api/v1/secrets', '/api/v1/namespaces/magnum-system-2/secrets'])(
  'what is asked for outside of the namespace is missing whatever was allowed inside: %s',
  (path) => {
    expect(refusedRights([{ ...call, path }], new Set([right]))).toEqual([`${right}, ${path}`]);
  },
);

test('a review is of no namespace', () => {
  const review = {
    ...call,
    group: 'authentication.k8s.io',
    resource: 'tokenreviews',
    verb: 'create',
    path: '/apis/authentication.k8s.io/v1/tokenreviews?fieldManager=magnum-capi-functions',
  };
  expect(refusedRights([review], new Set(['magnum-status: create tokenreviews.authentication.k8s.io']))).toEqual([]);
});
