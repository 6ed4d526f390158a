import type { V1Container } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { configVariable, logsOnError, nodeVariables } from './container-parts.ts';
import type { Installation } from './installation.ts';
import { directories } from './names.ts';
import type { CiliumLine } from './releases.ts';
import { hostSecurity } from './security.ts';

/** What has to be done on a node before the agent starts, in this order. */
export function agentInitContainers({ line, images }: Installation): Wire<V1Container>[] {
  const steps = [configStep(line), ...hostSteps, cleanStep, installStep(line)];
  return steps.map((step) => ({ ...step, image: images.agent, ...logsOnError }));
}

/** Builds the agent's settings from cilium-config and what custom resources say of this node. */
function configStep(line: CiliumLine): Wire<V1Container> {
  return {
    name: 'config',
    command: ['cilium-dbg', 'build-config'],
    env: [...nodeVariables],
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
    ...(line === 'v1.15' ? {} : { securityContext: { capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] } } }),
  };
}

const hostSteps: readonly Wire<V1Container>[] = [
  hostStep('mount-cgroup', `cilium-mount ${directories.cgroup}`, ['cgroup', 'mount']),
  hostStep('apply-sysctl-overwrites', 'cilium-sysctlfix', ['mount']),
  {
    name: 'mount-bpf-fs',
    command: ['bash', '-c', `grep -q ' ${directories.bpf} bpf ' /proc/mounts || mount -t bpf bpf ${directories.bpf}`],
    // Only a privileged container may hand its mounts on to the host.
    securityContext: { privileged: true },
    volumeMounts: [{ name: 'bpf-maps', mountPath: directories.bpf, mountPropagation: 'Bidirectional' }],
  },
];

/** Runs a program of the image in namespaces of the host, where it is found only as long as it lies in a directory of the host. */
function hostStep(name: string, program: string, namespaces: readonly ('cgroup' | 'mount')[]): Wire<V1Container> {
  const file = program.split(' ')[0];
  const files = { cgroup: 'cgroup', mount: 'mnt' };
  const entered = namespaces.map((kind) => `--${kind}=/hostproc/1/ns/${files[kind]}`).join(' ');
  const steps = [`cp /usr/bin/${file} /hostbin/`, `nsenter ${entered} ${directories.cniBinaries}/${program}`];
  return {
    name,
    command: ['bash', '-ec', [...steps, `rm /hostbin/${file}`].join('\n')],
    securityContext: hostSecurity('SYS_ADMIN', 'SYS_CHROOT', 'SYS_PTRACE'),
    volumeMounts: [
      { name: 'hostproc', mountPath: '/hostproc' },
      { name: 'cni-path', mountPath: '/hostbin' },
    ],
  };
}

/** Clears what an earlier agent left, where cilium-config asks for it. */
const cleanStep: Wire<V1Container> = {
  name: 'clean-cilium-state',
  command: ['/init-container.sh'],
  env: [
    configVariable('CILIUM_ALL_STATE', 'clean-cilium-state'),
    configVariable('CILIUM_BPF_STATE', 'clean-cilium-bpf-state'),
    configVariable('WRITE_CNI_CONF_WHEN_READY', 'write-cni-conf-when-ready'),
  ],
  securityContext: hostSecurity('NET_ADMIN', 'SYS_MODULE', 'SYS_ADMIN', 'SYS_RESOURCE'),
  volumeMounts: [
    { name: 'bpf-maps', mountPath: directories.bpf },
    { name: 'cilium-cgroup', mountPath: directories.cgroup, mountPropagation: 'HostToContainer' },
    { name: 'cilium-run', mountPath: directories.state },
  ],
};

function installStep(line: CiliumLine): Wire<V1Container> {
  const requests = { cpu: '100m', memory: '10Mi' };
  return {
    name: 'install-cni-binaries',
    command: ['/install-plugin.sh'],
    resources: line === 'v1.15' ? { requests } : { requests, limits: { cpu: '1', memory: '1Gi' } },
    securityContext: hostSecurity(),
    volumeMounts: [{ name: 'cni-path', mountPath: `/host${directories.cniBinaries}` }],
  };
}
