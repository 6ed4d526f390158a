import { isIP } from 'node:net';
import { isDnsSubdomain } from './kubernetes-syntax.ts';

/** A parsed value, or why there is none as the end of a sentence that begins with the value: `is not a whole number`. */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

export type Parse<Value> = (text: string) => Parsed<Value>;

/** Takes text that passes the test as it is. */
function accepting(test: (text: string) => boolean, expectation: string): Parse<string> {
  return (text) => (test(text) ? { value: text } : { problem: `is not ${expectation}` });
}

function matching(pattern: RegExp, expectation: string): Parse<string> {
  return accepting((text) => pattern.test(text), expectation);
}

export const anyText: Parse<string> = (value) => ({ value });

/** Tag of a container image (OCI distribution specification). */
export const imageTag = matching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, 'an image tag');

const dnsOrAddress = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])`;

const registryPath = matching(
  new RegExp(`^${dnsOrAddress}(?::[0-9]{1,5})?(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$`),
  'a registry path such as registry.example.org/mirror',
);

/** Registry and path without scheme; trailing slashes are dropped. */
export const registryPrefix: Parse<string> = (text) => {
  const end = text.search(/\/*$/);
  return registryPath(text.slice(0, end));
};

/** Without the zone that isIP lets pass behind a link-local address. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

export const ipAddress = accepting(isAddress, 'an IP address');

export const dnsDomain = accepting(isDnsSubdomain, 'a DNS name in lower case');

const wildcard = '*.';

/** Name in a certificate: an IP address or a DNS name, its first part may be `*` (kubeadm's rule). */
export const certificateName: Parse<string> = (text) => {
  const name = text.toLowerCase();
  const domain = name.startsWith(wildcard) ? name.slice(wildcard.length) : name;
  return isAddress(name) || isDnsSubdomain(domain)
    ? { value: name }
    : { problem: 'is not a DNS name or an IP address' };
};

/** Cluster API takes no longer name of a failure domain. */
const maximumZone = 256;

export const zone = accepting(
  (text) => text.length <= maximumZone && !text.includes(','),
  `the name of one zone of at most ${maximumZone} characters`,
);

/** The API server takes only https (its flag --oidc-issuer-url). */
export const httpsUrl = accepting(
  (text) => URL.canParse(text) && new URL(text).protocol === 'https:',
  'a URL that begins with https://',
);

/** Name of an admission plugin as Go spells it. */
export const pluginName = matching(/^[A-Za-z][A-Za-z0-9]{0,62}$/, 'the name of an admission plugin');

/** Name of an Octavia provider; it stands unquoted in cloud.conf. */
export const providerName = matching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/, 'the name of a load balancer provider');

/** One of `values`, spelled exactly so. */
export function oneOf(values: readonly string[]): Parse<string> {
  return accepting((text) => values.includes(text), `one of ${values.join(', ')}`);
}
