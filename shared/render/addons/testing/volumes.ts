import type { V1Volume } from '@kubernetes/client-node';

/** `name path type` of what lies on the host, sorted. */
export function hostPathsOf(volumes: readonly V1Volume[] = []): readonly string[] {
  return volumes
    .flatMap(({ name, hostPath }) =>
      hostPath === undefined ? [] : [`${name} ${hostPath.path} ${hostPath.type ?? 'any'}`],
    )
    .toSorted();
}

/** `secret key→file …` of what a projected volume holds. */
export function secretsOf(volumes: readonly V1Volume[] = [], volume: string): readonly string[] {
  const sources = volumes.find(({ name }) => name === volume)?.projected?.sources ?? [];
  return sources.map(({ secret }) => {
    const files = (secret?.items ?? []).map(({ key, path }) => `${key}→${path}`).toSorted();
    return [secret?.name, secret?.optional === true ? 'optional' : 'needed', ...files].join(' ');
  });
}
