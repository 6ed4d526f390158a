import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccess, demoCredential } from '../../test/cloud/openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { DependencyError } from '../contract/errors.ts';
import { cloudConfigSecret } from '../render/cloud-config.ts';
import type { Secret } from '../render/rendered-object.ts';
import { openClusterSession } from './cluster-session.ts';

let cloud: SimulatedOpenStack;

beforeAll(async () => {
  cloud = await startSimulatedOpenStack({ https: true });
});

afterAll(() => cloud.stop());

function ownSecret(): Secret {
  return cloudConfigSecret({
    stackId: 'kube-abcde',
    credential: demoAccess(cloud),
    record: { uuid: 'u', projectId: 'p', userId: 'u', serverGroups: {} },
  });
}

function secretWith(cloudsYaml: string): Secret {
  return { ...ownSecret(), data: { 'clouds.yaml': Buffer.from(cloudsYaml).toString('base64') } };
}

describe('a session of the cluster itself', () => {
  test("signs in with this driver's Secret, by its private certificate authority", async () => {
    const session = openClusterSession(ownSecret(), undefined);
    expect((await session.authentication()).methods).toContain('application_credential');
    session.close();
  });

  test("signs in with a Secret in the original's words: no auth_type, YAML without quotes, verify off", async () => {
    const { id, secret } = demoCredential(cloud);
    const session = openClusterSession(
      secretWith(`clouds:
  default:
    auth:
      application_credential_id: ${id}
      application_credential_secret: ${secret}
      auth_url: ${cloud.authUrl}
    endpoint_type: public
    identity_api_version: 3
    region_name: RegionOne
    verify: false
`),
      undefined,
    );
    expect((await session.authentication()).project?.name).toBe('demo');
    session.close();
  });

  test.each([
    ['no YAML', 'clouds: [secret-text'],
    ['no cloud', 'clouds: {}'],
    ['no credential', 'clouds: {default: {auth: {auth_url: secret-text}}}'],
    ['nothing', ''],
  ])('cannot be had from a Secret with %s, and the error repeats nothing of it', (_what, text) => {
    const open = () => openClusterSession(secretWith(text), undefined);
    expect(open).toThrow(DependencyError);
    expect(open).not.toThrow('secret-text');
  });
});
