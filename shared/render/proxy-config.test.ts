import { describe, expect, test } from 'vitest';
import { aptProxyConfig, systemdProxyConfig } from './proxy-config.ts';

const none = { http: null, https: null, noProxy: null };

describe("containerd's proxy drop-in", () => {
  test.each([
    ['no proxy at all', none],
    ['exceptions from no proxy', { ...none, noProxy: '10.0.0.0/8' }],
  ])('is empty for %s', (_title, proxy) => {
    expect(systemdProxyConfig(proxy)).toBe('');
  });

  test('names each proxy in both cases and none that is not set', () => {
    expect(systemdProxyConfig({ ...none, https: 'http://proxy:3128', noProxy: 'localhost,.svc' })).toBe(
      [
        '[Service]',
        'Environment="https_proxy=http://proxy:3128"',
        'Environment="HTTPS_PROXY=http://proxy:3128"',
        'Environment="no_proxy=localhost,.svc"',
        'Environment="NO_PROXY=localhost,.svc"',
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['http://a:p%40ss@proxy', 'http://a:p%%40ss@proxy'],
    ['http://a:"b\\c@proxy', 'http://a:\\"b\\\\c@proxy'],
    ['http://proxy\nExecStart=/bin/true', 'http://proxyExecStart=/bin/true'],
  ])('holds %j as systemd reads it', (http, written) => {
    expect(systemdProxyConfig({ ...none, http })).toContain(`Environment="http_proxy=${written}"\n`);
  });
});

describe("apt's proxy settings", () => {
  test.each([
    [none, ''],
    [{ ...none, http: 'http://proxy:3128' }, 'Acquire::http::Proxy "http://proxy:3128";\n'],
    [{ ...none, https: 'http://p";Quit\n' }, 'Acquire::https::Proxy "http://p%22;Quit";\n'],
  ])('for %j are %j', (proxy, text) => {
    expect(aptProxyConfig(proxy)).toBe(text);
  });
});
