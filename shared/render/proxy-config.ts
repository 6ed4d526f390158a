import type { ProxyIntent } from '../magnum/cluster-intent.ts';

/** Drop-in that gives containerd its proxies; '' without any. A proxy that is not set is not named (original-facts §3.1). */
export function systemdProxyConfig({ http, https, noProxy }: ProxyIntent): string {
  if (http === null && https === null) return '';
  const variables = { http_proxy: http, https_proxy: https, no_proxy: noProxy };
  const lines = Object.entries(variables).flatMap(([name, value]) =>
    value === null ? [] : [environmentLine(name, value), environmentLine(name.toUpperCase(), value)],
  );
  return ['[Service]', ...lines, ''].join('\n');
}

/** apt's own settings; '' without a proxy. */
export function aptProxyConfig({ http, https }: ProxyIntent): string {
  const schemes = { http, https };
  return Object.entries(schemes)
    .filter(([, proxy]) => proxy !== null)
    .map(([scheme, proxy]) => `Acquire::${scheme}::Proxy "${percentEncode(proxy ?? '')}";\n`)
    .join('');
}

/** systemd reads `%` as the start of a specifier, and C escapes within quotes. */
function environmentLine(name: string, value: string): string {
  const escaped = singleLine(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%');
  return `Environment="${name}=${escaped}"`;
}

/** apt knows no escapes within quotes, but its values are URLs. */
function percentEncode(url: string): string {
  return singleLine(url).replaceAll('"', '%22').replaceAll('\\', '%5C');
}

/** A line break would start a setting of its own. */
function singleLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, '');
}
