const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const labelPart = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

const maximumLabel = 63;
const maximumSubdomain = 253;

/** RFC 1123 label. */
export function isDnsLabel(text: string): boolean {
  return text.length <= maximumLabel && dnsLabel.test(text);
}

/** RFC 1123 subdomain in lower case. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= maximumSubdomain && text.split('.').every((part) => dnsLabel.test(part));
}

/** Value of a Kubernetes label; may be empty. */
export function isLabelValue(text: string): boolean {
  return text === '' || isLabelName(text);
}

/** The part of a label's key behind the slash. */
export function isLabelName(text: string): boolean {
  return text.length <= maximumLabel && labelPart.test(text);
}

/** Key of a label or taint: a name, or `domain/name`. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  return slash === -1 ? isLabelName(text) : isDnsSubdomain(text.slice(0, slash)) && isLabelName(text.slice(slash + 1));
}

/** `domain` itself or any domain below it. */
function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}

const kubeletKeys = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);

/** Whether the kubelet accepts the key in --node-labels (Kubernetes, `IsKubeletLabel`); with another it does not start. */
export function isKubeletLabel(key: string): boolean {
  const slash = key.indexOf('/');
  const domain = slash === -1 ? '' : key.slice(0, slash);
  if (!isWithin(domain, 'kubernetes.io') && !isWithin(domain, 'k8s.io')) return true;
  return kubeletKeys.has(key) || isWithin(domain, 'kubelet.kubernetes.io') || isWithin(domain, 'node.kubernetes.io');
}
