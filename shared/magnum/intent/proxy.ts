import type { ProxyIntent } from '../cluster-intent.ts';
import type { ClusterReading } from '../reading/snapshot-reading.ts';
import type { Parse } from '../syntax/text-format.ts';

/** Values stand in files of systemd and apt, whose quoting knows no way to hold these. */
const proxyUrl: Parse<string> = (text) =>
  /[\s"\\]/.test(text) ? { problem: 'has blanks, quotes or backslashes' } : { value: text };

const proxyExceptions: Parse<string> = (text) =>
  /["\\]/.test(text) ? { problem: 'has quotes or backslashes' } : { value: text };

/** A proxy's URL may hold a password, so no message shows it. */
export function proxyIntent({ template }: ClusterReading): ProxyIntent {
  return {
    http: template.secret('http_proxy', proxyUrl),
    https: template.secret('https_proxy', proxyUrl),
    noProxy: template.read('no_proxy', proxyExceptions),
  };
}
