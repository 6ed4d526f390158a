import { describe, expect, test } from 'vitest';
import { exampleAccess as access } from '../testing/example-access.ts';
import { cloudConf, withAccess } from './cloud-conf.ts';

const loadBalancer = { provider: 'amphorav2', algorithm: 'ROUND_ROBIN', healthMonitor: true } as const;

test('cloud.conf has the keys of the original driver, in its order', () => {
  expect(cloudConf(access, loadBalancer)).toBe(
    `[Global]
auth-url=https://keystone.example.com:5000/v3
region=RegionOne
application-credential-id=c0ffee
application-credential-secret=very-secret_1
tls-insecure=false

[LoadBalancer]
lb-provider=amphorav2
lb-method=ROUND_ROBIN
create-monitor=true
`,
  );
});

test('cloud.conf names the file of a private authority, and says where certificates are not checked', () => {
  const text = cloudConf({ ...access, caCertificate: 'PEM', verify: false }, loadBalancer);
  expect(text).toContain('tls-insecure=true\nca-file=/etc/config/ca.crt\n[LoadBalancer]\n');
});

describe('a value', () => {
  test.each([
    ['with what begins a comment', 'a;b#c', '"a;b#c"'],
    ['with a quote and a backslash', 'a"b\\c', '"a\\"b\\\\c"'],
    ['with a space', ' a b ', '" a b "'],
    ['that is empty', '', '""'],
    ['beyond ASCII', 'größe', '"größe"'],
  ])('%s is quoted', (_what, secret, written) => {
    const text = cloudConf({ ...access, applicationCredentialSecret: secret }, loadBalancer);
    expect(text).toContain(`\napplication-credential-secret=${written}\n`);
  });

  test.each(['a\nuse-clouds=true', 'a\u0000', 'a\r'])('that the file cannot carry is refused: %j', (region) => {
    expect(() => cloudConf({ ...access, region }, loadBalancer)).toThrow('The region of cloud.conf');
  });
});

describe('another access', () => {
  const next = { ...access, applicationCredentialId: 'decaf', applicationCredentialSecret: 'other' };

  test('takes the place of [Global] alone, and is written once', () => {
    const text = cloudConf(access, loadBalancer);
    expect(withAccess(text, next)).toBe(cloudConf(next, loadBalancer));
    expect(withAccess(withAccess(text, next), next)).toBe(withAccess(text, next));
  });

  test("keeps the operator's own sections, wherever they stand", () => {
    const own = '[BlockStorage]\nbs-version=v3\n';
    const text = `${own}[ global ]\nauth-url = old\n; a comment\n[Networking]\nipv6-support-disabled=true\n`;
    const moved = withAccess(text, next);
    expect(moved).toContain(`\n${own}[Networking]\nipv6-support-disabled=true\n`);
    expect(moved).not.toContain('old');
    expect(moved.match(/\[global\]/gi)).toHaveLength(1);
  });

  test('is all there is where nothing was', () => {
    expect(withAccess('', next)).toMatch(/^\[Global\]\n(?:[a-z-]+=\S+\n)+\n?$/);
  });
});
