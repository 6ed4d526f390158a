import type { Parse } from './text-format.ts';

/** Cluster API 1.13 renders no kubeadm configuration for older ones. Its tests cover 1.30 to 1.36. */
const minimumMinor = 22;

const number = '(0|[1-9][0-9]{0,3})';
const suffix = '[0-9A-Za-z.-]{1,64}';
const version = new RegExp(`^v?(1\\.${number}\\.${number}(?:-${suffix})?(?:\\+${suffix})?)$`);

/** Semantic version of Kubernetes, with or without the leading `v`; the value has it. */
export const kubernetesVersion: Parse<string> = (text) => {
  const [, digits, minor] = version.exec(text) ?? [];
  if (digits === undefined) return { problem: 'is not a Kubernetes version such as v1.33.4' };
  if (Number(minor) < minimumMinor) return { problem: `is too old: Cluster API needs at least v1.${minimumMinor}.0` };
  return { value: `v${digits}` };
};

/** The second number of a version that `kubernetesVersion` gave; 0 for any other text. */
export function kubernetesMinor(text: string): number {
  return Number(version.exec(text)?.[2] ?? 0);
}
