import type { V1SecretProjection, V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { directories } from './names.ts';
import type { CiliumLine } from './releases.ts';
import { certificateFiles, hostVolume, secretVolume } from './volumes.ts';

export function agentVolumes(line: CiliumLine): Wire<V1Volume>[] {
  return [
    { name: 'tmp', emptyDir: {} },
    hostVolume('cilium-run', directories.state),
    hostVolume('bpf-maps', directories.bpf),
    hostVolume('hostproc', '/proc', 'Directory'),
    hostVolume('cilium-cgroup', directories.cgroup),
    hostVolume('cni-path', directories.cniBinaries),
    hostVolume('etc-cni-netd', directories.cniConfiguration),
    { name: 'lib-modules', hostPath: { path: '/lib/modules' } },
    hostVolume('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
    hostVolume('host-proc-sys-net', '/proc/sys/net', 'Directory'),
    hostVolume('host-proc-sys-kernel', '/proc/sys/kernel', 'Directory'),
    secretVolume('clustermesh-secrets', [
      { name: 'cilium-clustermesh', optional: true },
      ...clusterMeshSecrets[line].map(clusterMeshSecret),
    ]),
    // Agents start before certgen has made the certificates, and take them as soon as they are there.
    secretVolume('hubble-tls', [
      { name: 'hubble-server-certs', optional: true, items: certificateFiles('server', 'client-ca') },
    ]),
    ...lineVolumes[line],
  ];
}

export function agentMounts(line: CiliumLine): Wire<V1VolumeMount>[] {
  return [
    ...lineMounts[line],
    { name: 'host-proc-sys-net', mountPath: '/host/proc/sys/net' },
    { name: 'host-proc-sys-kernel', mountPath: '/host/proc/sys/kernel' },
    { name: 'bpf-maps', mountPath: directories.bpf, mountPropagation: 'HostToContainer' },
    { name: 'cilium-run', mountPath: directories.state },
    { name: 'etc-cni-netd', mountPath: `/host${directories.cniConfiguration}` },
    { name: 'clustermesh-secrets', mountPath: '/var/lib/cilium/clustermesh', readOnly: true },
    { name: 'lib-modules', mountPath: '/lib/modules', readOnly: true },
    { name: 'xtables-lock', mountPath: '/run/xtables.lock' },
    { name: 'hubble-tls', mountPath: directories.hubbleTls, readOnly: true },
    { name: 'tmp', mountPath: '/tmp' },
  ];
}

/** Whose client certificates may exist: of the mesh's other clusters, and of this one. */
const clusterMeshSecrets: Readonly<Record<CiliumLine, readonly ['remote', ...'local'[]]>> = {
  'v1.15': ['remote'],
  'v1.20': ['remote', 'local'],
};

function clusterMeshSecret(side: 'remote' | 'local'): Wire<V1SecretProjection> {
  const file = side === 'remote' ? 'common-etcd-client' : 'local-etcd-client';
  return { name: `clustermesh-apiserver-${side}-cert`, optional: true, items: certificateFiles(file, `${file}-ca`) };
}

const lineVolumes: Readonly<Record<CiliumLine, readonly Wire<V1Volume>[]>> = {
  'v1.15': [],
  'v1.20': [hostVolume('cilium-netns', '/var/run/netns'), hostVolume('envoy-sockets', directories.envoySockets)],
};

const lineMounts: Readonly<Record<CiliumLine, readonly Wire<V1VolumeMount>[]>> = {
  'v1.15': [],
  'v1.20': [
    { name: 'envoy-sockets', mountPath: directories.envoySockets },
    { name: 'cilium-netns', mountPath: `${directories.state}/netns`, mountPropagation: 'HostToContainer' },
  ],
};
