import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCloud } from './cloud.ts';

const auth_url = 'https://keystone.example/v3';

test('An application credential with all settings is read', () => {
  const auth = { auth_url, application_credential_id: 'id', application_credential_secret: 'secret' };
  const settings = { region_name: 'RegionOne', interface: 'internal', verify: false, cacert: '/etc/ca.pem' };
  expect(parseCloud({ auth_type: 'v3applicationcredential', auth, ...settings, identity_api_version: 3 })).toEqual({
    options: {
      auth: { kind: 'application_credential', authUrl: auth_url, id: 'id', secret: 'secret' },
      region: 'RegionOne',
      interface: 'internal',
      insecure: true,
    },
    caCertificateFile: '/etc/ca.pem',
  });
});

test.each([
  ['names within named domains', { user_domain_name: 'U', project_domain_name: 'P' }, { name: 'U' }, { name: 'P' }],
  ['names within one domain', { domain_id: 'd' }, { id: 'd' }, { id: 'd' }],
  ['names without a domain', {}, { id: 'default' }, { id: 'default' }],
])('A password with %s is read', (_, domains, userDomain, projectDomain) => {
  const auth = { auth_url, username: 'u', password: 'p', project_name: 'x', ...domains };
  expect(parseCloud({ auth }).options.auth).toEqual({
    kind: 'password',
    authUrl: auth_url,
    user: { name: 'u', domain: userDomain },
    password: 'p',
    project: { name: 'x', domain: projectDomain },
  });
});

test('Ids of user and project win over names, and endpoint_type is the older word for interface', () => {
  const auth = { auth_url, user_id: 'uid', username: 'u', password: 'p', project_id: 'pid' };
  const { options } = parseCloud({ auth, endpoint_type: 'publicURL' });
  expect(options.auth).toMatchObject({ user: { id: 'uid' }, project: { id: 'pid' } });
  expect([options.interface, options.insecure]).toEqual(['publicURL', false]);
});

test('A token is read', () => {
  expect(parseCloud({ auth: { auth_url, token: 't' } }).options.auth).toEqual({
    kind: 'token',
    authUrl: auth_url,
    token: 't',
  });
});

test.each([
  [null, 'content'],
  [{}, '"auth"'],
  [{ auth: {} }, '"auth.auth_url"'],
  [{ auth: { auth_url: 7 } }, '"auth.auth_url"'],
  [{ auth: { auth_url, application_credential_id: 'id' } }, '"auth.application_credential_secret"'],
  [{ auth: { auth_url, username: 'u', password: 'p' } }, '"auth.project_id"'],
  [{ auth: { auth_url, username: 'u', project_id: 'x' } }, '"auth.password"'],
  [{ auth: { auth_url, token: 't' }, verify: 'yes' }, '"verify"'],
])('%j is refused for its %s', (cloud, field) => {
  expect(() => parseCloud(cloud)).toThrow(new TypeError(`The cloud's configuration has no usable ${field}.`));
});

test('Whatever is given is read or refused with a TypeError', () => {
  fc.assert(
    fc.property(fc.anything(), (cloud) => {
      try {
        parseCloud(cloud);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }),
  );
});
