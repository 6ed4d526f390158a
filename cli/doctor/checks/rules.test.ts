import { describe, expect, test } from 'vitest';
import { baseManifests } from '../base-manifests.ts';
import { cloudFault } from '../cloud-config.ts';
import { conditionProblem } from '../condition.ts';
import { grantedRights } from '../granted-rights.ts';
import { clockProblems } from './clocks.ts';
import { otherRelease } from './images.ts';
import { describedRights } from './rights.ts';

describe('clocks', () => {
  test.each([
    [{}, []],
    [{ Keystone: undefined }, []],
    [{ Keystone: 29_000 }, []],
    [{ Keystone: -31_000 }, ['The clock of Keystone is 31 s behind that of this machine.']],
    [
      { Keystone: 20_000, 'the management cluster': -20_000 },
      ['The clock of the management cluster is 40 s behind that of Keystone.'],
    ],
  ])('that are %j before this machine', (offsets, messages) => {
    expect(clockProblems(offsets).map(({ message }) => message)).toEqual(messages);
  });
});

describe('the release of an image', () => {
  test.each([
    ['registry.example.org/functions:1.2.3', []],
    ['registry.example.org:5000/functions:v1.2.3', []],
    ['registry.example.org/functions:1.2.3@sha256:0a', []],
    ['registry.example.org:5000/functions', []],
    ['registry.example.org/functions:stable', []],
    ['registry.example.org/functions:1.2.4', ['The functions are of release 1.2.4, and this command is of 1.2.3.']],
    [
      'registry.example.org/functions:1.2.3-rc.1',
      ['The functions are of release 1.2.3-rc.1, and this command is of 1.2.3.'],
    ],
  ])('%s', (image, messages) => {
    expect(otherRelease(image, '1.2.3').map(({ message }) => message)).toEqual(messages);
  });
});

describe('a condition', () => {
  const object = (condition: object) => ({ status: { conditions: [{ type: 'Other', status: 'True' }, condition] } });
  test.each([
    [object({ type: 'Ready', status: 'True' }), null],
    [object({ type: 'Ready', status: 'False', reason: 'Lost', message: 'It is lost.' }), 'Lost: It is lost'],
    [object({ type: 'Ready', status: 'Unknown', reason: 'Waiting' }), 'Waiting'],
    [object({}), 'nobody has said yet that it is ready'],
    [{}, 'nobody has said yet that it is ready'],
  ])('of %j', (given, problem) => {
    expect(conditionProblem(given, 'Ready')).toBe(problem);
  });
});

describe('a clouds.yaml', () => {
  const auth =
    'auth: {auth_url: "https://k", username: u, password: hidden-word, project_name: p, user_domain_id: d, project_domain_id: d}';
  test.each([
    [`clouds: {default: {${auth}}}`, null],
    [`clouds: {other: {${auth}}}`, 'it has no cloud "default"'],
    [
      'clouds: {default: {auth: {auth_url: "https://k", password: hidden-word}}}',
      'its cloud "default" lacks what is needed to sign in',
    ],
    ['hidden-word: [', 'it has no cloud "default"'],
  ])('%j', (text, fault) => {
    expect(cloudFault(text, 'default')).toBe(fault);
  });
});

describe('rights', () => {
  test('are those of every account of knative/base, reviews included', async () => {
    const rights = grantedRights(await baseManifests());
    expect(new Set(rights.map(({ account }) => account)).size).toBe(10);
    expect(rights).toContainEqual({
      ...{ account: 'magnum-create', group: 'authentication.k8s.io', resource: 'tokenreviews', verb: 'create' },
      ...{ subresource: undefined, namespaced: false },
    });
    expect(rights).toContainEqual({
      ...{ account: 'magnum-cluster-autoscaler', group: 'cluster.x-k8s.io', resource: 'machinedeployments' },
      ...{ subresource: 'scale', verb: 'patch', namespaced: true },
    });
  });

  test('are described by what they are for', () => {
    const right = { account: 'one', namespaced: true, subresource: undefined };
    const rights = [
      { ...right, group: '', resource: 'secrets', verb: 'get' },
      { ...right, group: 'apps', resource: 'deployments', subresource: 'scale', verb: 'patch' },
      { ...right, group: '', resource: 'secrets', verb: 'list' },
    ];
    expect(describedRights(rights)).toBe('get, list secrets; patch deployments/scale.apps');
  });
});
