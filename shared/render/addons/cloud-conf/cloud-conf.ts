import type { LoadBalancerIntent } from '../../../magnum/cluster-intent.ts';

/** How the workload's cloud integrations reach the cloud: by the public interface, with Magnum's `[drivers]` options. */
export interface CloudConfAccess {
  /** Keystone's public URL, as the catalogue has it. */
  readonly authUrl: string;
  readonly region: string;
  readonly applicationCredentialId: string;
  readonly applicationCredentialSecret: string;
  /** Whether certificates are checked. */
  readonly verify: boolean;
  /** PEM; '' = the authorities of the image. */
  readonly caCertificate: string;
}

/** Where the pods find `ca.crt` of the Secret. */
const caFile = '/etc/config/ca.crt';

const sectionHead = /^\s*\[\s*(?<name>[^\s\]"]+)/;

/**
 * The file by which the cloud controller manager and Cinder CSI sign in, with the keys that magnum-cluster-api writes, in its
 * order (original-facts §2).
 * @throws RangeError for a value that the file cannot carry
 */
export function cloudConf(access: CloudConfAccess, loadBalancer: LoadBalancerIntent): string {
  return `${globalSection(access)}${loadBalancerSection(loadBalancer)}`;
}

/** The same file with another `[Global]`; what else stands in it, the operator's own sections too, stays. @throws RangeError */
export function withAccess(text: string, access: CloudConfAccess): string {
  let isGlobal = false;
  const others = text.split('\n').filter((line) => {
    const name = sectionHead.exec(line)?.groups?.['name'];
    if (name !== undefined) isGlobal = name.toLowerCase() === 'global';
    return !isGlobal;
  });
  return `${globalSection(access)}${others.join('\n')}`;
}

function globalSection(access: CloudConfAccess): string {
  return [
    '[Global]',
    entry('auth-url', access.authUrl),
    entry('region', access.region),
    entry('application-credential-id', access.applicationCredentialId),
    entry('application-credential-secret', access.applicationCredentialSecret),
    entry('tls-insecure', String(!access.verify)),
    access.caCertificate === '' ? '' : entry('ca-file', caFile),
    '',
  ].join('\n');
}

function loadBalancerSection({ provider, algorithm, healthMonitor }: LoadBalancerIntent): string {
  return [
    '[LoadBalancer]',
    entry('lb-provider', provider),
    entry('lb-method', algorithm),
    entry('create-monitor', String(healthMonitor)),
    '',
  ].join('\n');
}

/** What gcfg, which reads the file, takes as it stands; all else is quoted, since `#` and `;` begin comments. */
const plain = /^[A-Za-z0-9._~:/@%+=?&,-]+$/;

function entry(key: string, value: string): string {
  if (plain.test(value)) return `${key}=${value}`;
  // gcfg knows no escape for them, and a new line would be a key of its own.
  if (/[\p{Cc}]/u.test(value)) throw new RangeError(`The ${key} of cloud.conf has a control character.`);
  return `${key}="${value.replace(/["\\]/g, '\\$&')}"`;
}
