import type { V1KeyToPath, V1SecretProjection, V1Volume } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';

export function hostVolume(name: string, path: string, type = 'DirectoryOrCreate'): Wire<V1Volume> {
  return { name, hostPath: { path, type } };
}

/** Certificates as files that only their owner reads. */
export function secretVolume(name: string, secrets: readonly Wire<V1SecretProjection>[]): Wire<V1Volume> {
  return { name, projected: { defaultMode: 0o400, sources: secrets.map((secret) => ({ secret })) } };
}

/** A Secret of type kubernetes.io/tls under the file names that a program looks for. */
export function certificateFiles(certificate: string, authority: string): V1KeyToPath[] {
  return [
    { key: 'tls.key', path: `${certificate}.key` },
    { key: 'tls.crt', path: `${certificate}.crt` },
    { key: 'ca.crt', path: `${authority}.crt` },
  ];
}
