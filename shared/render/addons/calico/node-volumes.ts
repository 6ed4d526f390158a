import type { V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';

const created = 'DirectoryOrCreate';

/** Paths of the node by volume, with the type that is asked for. */
const hostPaths: readonly (readonly [name: string, path: string, type?: string])[] = [
  ['lib-modules', '/lib/modules'],
  ['var-run-calico', '/var/run/calico', created],
  ['var-lib-calico', '/var/lib/calico', created],
  ['xtables-lock', '/run/xtables.lock', 'FileOrCreate'],
  ['sys-fs', '/sys/fs/', created],
  ['bpffs', '/sys/fs/bpf', 'Directory'],
  ['nodeproc', '/proc'],
  ['cni-bin-dir', '/opt/cni/bin', created],
  ['cni-net-dir', '/etc/cni/net.d'],
  ['cni-log-dir', '/var/log/calico/cni'],
  ['host-local-net-dir', '/var/lib/cni/networks'],
  ['policysync', '/var/run/nodeagent', created],
];

export function nodeVolumes(readsKernelLockdown: boolean): Wire<V1Volume>[] {
  const lockdown = ['sys-kernel-security', '/sys/kernel/security'] as const;
  return [...hostPaths, ...(readsKernelLockdown ? [lockdown] : [])].map(([name, path, type]) => ({
    name,
    hostPath: type === undefined ? { path } : { path, type },
  }));
}

export function mountedAt(mountPath: string, name: string): V1VolumeMount {
  return { name, mountPath };
}
