import { kubernetesMinor } from '../../magnum/syntax/kubernetes-version.ts';

/**
 * Minors of Kubernetes that the driver's add-ons are made for: those of workload clusters of Cluster API 1.13
 * (its `docs/book/src/reference/versions.md`). Each add-on has a release for every one of them.
 */
export const supportedMinors = { oldest: 30, newest: 36 } as const;

/** How a Kubernetes version stands to what the add-ons support; `older` still works where it runs already. */
export function supportOf(kubernetesVersion: string): 'older' | 'supported' | 'newer' {
  const minor = kubernetesMinor(kubernetesVersion);
  if (minor > supportedMinors.newest) return 'newer';
  return minor < supportedMinors.oldest ? 'older' : 'supported';
}
