import fc from 'fast-check';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { cloudConfigSecret, readCloudConfigRecord } from './cloud-config.ts';
import type { CloudCredential } from './cloud-facts.ts';

const credential: CloudCredential = {
  applicationCredentialId: 'b1f6f0c1d2e34f5a8b7c6d5e4f3a2b1c',
  applicationCredentialSecret: 'very secret',
  authUrl: 'https://keystone.example.com:5000/v3',
  region: 'RegionOne',
  endpointType: 'public',
  verify: true,
  caCertificate: null,
};
const record = {
  uuid: 'uuid-1',
  projectId: 'project-1',
  userId: 'user-1',
  serverGroups: { 'kube-a': 'group-1', 'kube-a-worker': 'group-2' },
};

function decoded(changes: Partial<CloudCredential> = {}) {
  const { data } = cloudConfigSecret({ stackId: 'kube-abcde', credential: { ...credential, ...changes }, record });
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
}

describe('the Secret with clouds.yaml', () => {
  test('has one cloud, in the fields that CAPO and openstacksdk read', () => {
    expect(load(decoded()['clouds.yaml'] ?? '')).toEqual({
      clouds: {
        default: {
          auth_type: 'v3applicationcredential',
          auth: {
            auth_url: 'https://keystone.example.com:5000/v3',
            application_credential_id: 'b1f6f0c1d2e34f5a8b7c6d5e4f3a2b1c',
            application_credential_secret: 'very secret',
          },
          region_name: 'RegionOne',
          endpoint_type: 'public',
          identity_api_version: 3,
          verify: true,
        },
      },
    });
  });

  test('keeps every text a text, also for readers of YAML 1.1', () => {
    const hostile = fc.oneof(
      fc.constantFrom('1e3', 'yes', 'null', '~', '0o17', '012', '2026-01-01', 'a: b', '# c', '"', "'", '\\', 'é', ''),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(hostile, hostile, (id, secret) => {
        const text = decoded({ applicationCredentialId: id, applicationCredentialSecret: secret })['clouds.yaml'] ?? '';
        for (const options of [{}, { schema: YAML11_SCHEMA }]) {
          expect(load(text, options)).toMatchObject({
            clouds: { default: { auth: { application_credential_id: id, application_credential_secret: secret } } },
          });
        }
      }),
    );
  });

  test('has the private authority where there is one', () => {
    expect(decoded()).not.toHaveProperty('cacert');
    expect(decoded({ caCertificate: '-----BEGIN CERTIFICATE-----' })).toHaveProperty(
      'cacert',
      '-----BEGIN CERTIFICATE-----',
    );
  });

  test('records what outlives the Cluster, and nothing secret', () => {
    const secret = cloudConfigSecret({ stackId: 'kube-abcde', credential, record });
    expect(readCloudConfigRecord(secret)).toEqual({
      ...record,
      applicationCredentialId: credential.applicationCredentialId,
      replacedCredentials: [],
      rotatedBy: null,
      deleteRequested: null,
    });
    expect(JSON.stringify(secret.metadata)).not.toContain(credential.applicationCredentialSecret);
  });

  test.each([
    ['no metadata', {}],
    ["the original's", { metadata: { labels: { 'cluster-uuid': 'uuid-1' } } }],
    ['null', null],
  ])('has no record when it is %s', (_title, secret) => {
    expect(readCloudConfigRecord(secret)).toBeNull();
  });

  test('has no record when the list of server groups cannot be read', () => {
    const secret = cloudConfigSecret({ stackId: 'kube-abcde', credential, record });
    const annotations = { ...secret.metadata.annotations, 'magnum.openstack.org/server-groups': '{' };
    expect(readCloudConfigRecord({ ...secret, metadata: { ...secret.metadata, annotations } })).toBeNull();
  });
});
