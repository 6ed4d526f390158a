import type { V1Container, V1DaemonSet, V1PodSpec } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { containersOf, environmentOf, mountsOf } from '../testing/containers.ts';
import { hostPathsOf, secretsOf } from '../testing/volumes.ts';
import type { CiliumLine } from './releases.ts';
import { lines, renderedObject, type Situation, tags } from './testing/rendered-cilium.ts';

// Facts: cilium/charts, cilium-1.15.3.tgz and cilium-1.20.0.tgz, templates/cilium-agent/daemonset.yaml.
// Other than upstream, in all lines:
// - no postStart hook, which removes what AWS' network plugin leaves on a node;
// - probes name the port's number, which v1.20 names by its name;
// - the steps that enter the host's namespaces say their paths themselves, without BIN_PATH and CGROUP_ROOT in their environment;
// - what equals Kubernetes' own default is not said (imagePullPolicy, restartPolicy, serviceAccount, hostUsers).
// In v1.15: AppArmor is told by the pod's field from Kubernetes 1.30 on, as chart 1.15.19 does; bash instead of sh.
// In v1.20: no `--k8s-api-server-urls=`, which is empty.

function daemonSet(line: CiliumLine, situation: Situation = {}): V1DaemonSet {
  return renderedObject(line, ['DaemonSet', 'cilium'], situation);
}

function podOf(line: CiliumLine, situation: Situation = {}): V1PodSpec {
  return daemonSet(line, situation).spec!.template.spec!;
}

function container(line: CiliumLine, name: string, situation: Situation = {}): V1Container {
  const all = containersOf(daemonSet(line, situation).spec!.template);
  return all.find((each) => each.name === name)!;
}

const spcType = { level: 's0', type: 'spc_t' };
const nodeEnvironment = {
  K8S_NODE_NAME: 'field spec.nodeName',
  CILIUM_K8S_NAMESPACE: 'field metadata.namespace',
};

describe.each(lines)('the agent of %s', (line) => {
  test('runs on every Linux node, and selects what upstream selects', () => {
    const { metadata, spec } = daemonSet(line);
    const labels = {
      'k8s-app': 'cilium',
      'app.kubernetes.io/name': 'cilium-agent',
      'app.kubernetes.io/part-of': 'cilium',
    };
    expect(metadata?.labels).toEqual(labels);
    const { template, ...rest } = spec!;
    expect(rest).toEqual({
      selector: { matchLabels: { 'k8s-app': 'cilium' } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
    });
    expect(template.metadata?.labels).toEqual(labels);
    const { containers, initContainers, volumes, securityContext, ...pod } = template.spec!;
    expect(pod).toEqual({
      priorityClassName: 'system-node-critical',
      serviceAccountName: 'cilium',
      automountServiceAccountToken: true,
      terminationGracePeriodSeconds: 1,
      hostNetwork: true,
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { 'k8s-app': 'cilium' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ operator: 'Exists' }],
    });
  });

  test('comes after these steps, all from its own image', () => {
    const { initContainers = [], containers } = podOf(line);
    expect(initContainers.map(({ name }) => name)).toEqual([
      'config',
      'mount-cgroup',
      'apply-sysctl-overwrites',
      'mount-bpf-fs',
      'clean-cilium-state',
      'install-cni-binaries',
    ]);
    expect(containers.map(({ name, command, args }) => ({ name, command, args }))).toEqual([
      { name: 'cilium-agent', command: ['cilium-agent'], args: ['--config-dir=/tmp/cilium/config-map'] },
    ]);
    for (const { image, terminationMessagePolicy } of [...initContainers, ...containers]) {
      expect(image).toMatch(`quay.io/cilium/cilium:${tags[line]}@sha256:`);
      expect(terminationMessagePolicy).toBe('FallbackToLogsOnError');
    }
  });

  test('has the environment, the rights and the last command of upstream', () => {
    const { lifecycle, securityContext, ...agent } = container(line, 'cilium-agent');
    expect(environmentOf(agent)).toEqual({
      ...nodeEnvironment,
      CILIUM_CLUSTERMESH_CONFIG: '/var/lib/cilium/clustermesh/',
      GOMEMLIMIT: 'resource limits.memory',
      ...(line === 'v1.20' ? { KUBE_CLIENT_BACKOFF_BASE: '1', KUBE_CLIENT_BACKOFF_DURATION: '120' } : {}),
    });
    expect(lifecycle).toEqual({ preStop: { exec: { command: ['/cni-uninstall.sh'] } } });
    const { seLinuxOptions, capabilities, ...rest } = securityContext!;
    expect({ seLinuxOptions, rest, drop: capabilities?.drop }).toEqual({
      seLinuxOptions: spcType,
      rest: {},
      drop: ['ALL'],
    });
    const common =
      'CHOWN DAC_OVERRIDE FOWNER IPC_LOCK KILL NET_ADMIN NET_RAW SETGID SETUID SYS_ADMIN SYS_MODULE SYS_RESOURCE';
    const expected = line === 'v1.20' ? `${common} SYSLOG` : common;
    expect(capabilities?.add?.toSorted()).toEqual(expected.split(' ').toSorted());
  });

  test('is asked for its health on the node’s own address', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container(line, 'cilium-agent');
    const httpHeaders = [{ name: 'brief', value: 'true' }];
    const httpGet = { host: '127.0.0.1', path: '/healthz', port: 9879, httpHeaders };
    const connectivity = { name: 'require-k8s-connectivity', value: 'false' };
    const liveness = line === 'v1.20' ? { ...httpGet, httpHeaders: [...httpHeaders, connectivity] } : httpGet;
    const failureThreshold = line === 'v1.20' ? 300 : 105;
    expect(startupProbe).toEqual({ httpGet, failureThreshold, periodSeconds: 2, initialDelaySeconds: 5 });
    expect(livenessProbe).toEqual({ httpGet: liveness, failureThreshold: 10, periodSeconds: 30, timeoutSeconds: 5 });
    expect(readinessProbe).toEqual({ httpGet, failureThreshold: 3, periodSeconds: 30, timeoutSeconds: 5 });
    const overIpv6 = container(line, 'cilium-agent', { podCidr: 'fd00:100::/56' });
    expect(overIpv6.livenessProbe?.httpGet?.host).toBe('::1');
  });

  test('mounts what upstream mounts', () => {
    const newer = ['envoy-sockets /var/run/cilium/envoy/sockets', 'cilium-netns /var/run/cilium/netns HostToContainer'];
    expect(mountsOf(container(line, 'cilium-agent'))).toEqual(
      [
        'host-proc-sys-net /host/proc/sys/net',
        'host-proc-sys-kernel /host/proc/sys/kernel',
        'bpf-maps /sys/fs/bpf HostToContainer',
        'cilium-run /var/run/cilium',
        'etc-cni-netd /host/etc/cni/net.d',
        'clustermesh-secrets /var/lib/cilium/clustermesh read-only',
        'lib-modules /lib/modules read-only',
        'xtables-lock /run/xtables.lock',
        'hubble-tls /var/lib/cilium/tls/hubble read-only',
        'tmp /tmp',
        ...(line === 'v1.20' ? newer : []),
      ].toSorted(),
    );
  });

  test('takes from the node what upstream takes, and certificates as soon as they are there', () => {
    const { volumes = [] } = podOf(line);
    const newer = [
      'cilium-netns /var/run/netns DirectoryOrCreate',
      'envoy-sockets /var/run/cilium/envoy/sockets DirectoryOrCreate',
    ];
    const expected = [
      'cilium-run /var/run/cilium DirectoryOrCreate',
      'bpf-maps /sys/fs/bpf DirectoryOrCreate',
      'hostproc /proc Directory',
      'cilium-cgroup /run/cilium/cgroupv2 DirectoryOrCreate',
      'cni-path /opt/cni/bin DirectoryOrCreate',
      'etc-cni-netd /etc/cni/net.d DirectoryOrCreate',
      'lib-modules /lib/modules any',
      'xtables-lock /run/xtables.lock FileOrCreate',
      'host-proc-sys-net /proc/sys/net Directory',
      'host-proc-sys-kernel /proc/sys/kernel Directory',
      ...(line === 'v1.20' ? newer : []),
    ];
    expect(hostPathsOf(volumes)).toEqual(expected.toSorted());
    expect(volumes).toHaveLength(expected.length + 3);
    expect(volumes).toContainEqual({ name: 'tmp', emptyDir: {} });
    expect(secretsOf(volumes, 'hubble-tls')).toEqual([
      'hubble-server-certs optional ca.crt→client-ca.crt tls.crt→server.crt tls.key→server.key',
    ]);
    const files = (name: string) => `ca.crt→${name}-ca.crt tls.crt→${name}.crt tls.key→${name}.key`;
    expect(secretsOf(volumes, 'clustermesh-secrets')).toEqual([
      'cilium-clustermesh optional',
      `clustermesh-apiserver-remote-cert optional ${files('common-etcd-client')}`,
      ...(line === 'v1.20' ? [`clustermesh-apiserver-local-cert optional ${files('local-etcd-client')}`] : []),
    ]);
    for (const { projected } of volumes) if (projected !== undefined) expect(projected.defaultMode).toBe(0o400);
  });

  test('has its settings built for its node', () => {
    const step = container(line, 'config');
    expect(step.command).toEqual(['cilium-dbg', 'build-config']);
    expect(environmentOf(step)).toEqual(nodeEnvironment);
    expect(mountsOf(step)).toEqual(['tmp /tmp']);
    const newer = { capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] } };
    expect(step.securityContext).toEqual(line === 'v1.20' ? newer : undefined);
  });

  test('has two of its programs run in namespaces of the host', () => {
    const script = ({ command = [] }: V1Container) => [command.slice(0, 2), command[2]?.split('\n')];
    const cgroup = container(line, 'mount-cgroup');
    expect(script(cgroup)).toEqual([
      ['bash', '-ec'],
      [
        'cp /usr/bin/cilium-mount /hostbin/',
        'nsenter --cgroup=/hostproc/1/ns/cgroup --mount=/hostproc/1/ns/mnt /opt/cni/bin/cilium-mount /run/cilium/cgroupv2',
        'rm /hostbin/cilium-mount',
      ],
    ]);
    const sysctl = container(line, 'apply-sysctl-overwrites');
    expect(script(sysctl)).toEqual([
      ['bash', '-ec'],
      [
        'cp /usr/bin/cilium-sysctlfix /hostbin/',
        'nsenter --mount=/hostproc/1/ns/mnt /opt/cni/bin/cilium-sysctlfix',
        'rm /hostbin/cilium-sysctlfix',
      ],
    ]);
    const capabilities = { add: ['SYS_ADMIN', 'SYS_CHROOT', 'SYS_PTRACE'], drop: ['ALL'] };
    for (const step of [cgroup, sysctl]) {
      expect(step.securityContext).toEqual({ seLinuxOptions: spcType, capabilities });
      expect(mountsOf(step)).toEqual(['cni-path /hostbin', 'hostproc /hostproc']);
    }
  });

  test('has the BPF file system mounted on the host where it is not', () => {
    const step = container(line, 'mount-bpf-fs');
    expect(step.command).toEqual([
      'bash',
      '-c',
      "grep -q ' /sys/fs/bpf bpf ' /proc/mounts || mount -t bpf bpf /sys/fs/bpf",
    ]);
    expect(step.securityContext).toEqual({ privileged: true });
    expect(mountsOf(step)).toEqual(['bpf-maps /sys/fs/bpf Bidirectional']);
  });

  test('has old state cleared on demand, and its plugin installed', () => {
    const clean = container(line, 'clean-cilium-state');
    expect(clean.command).toEqual(['/init-container.sh']);
    expect(environmentOf(clean)).toEqual({
      CILIUM_ALL_STATE: 'cilium-config clean-cilium-state optional',
      CILIUM_BPF_STATE: 'cilium-config clean-cilium-bpf-state optional',
      WRITE_CNI_CONF_WHEN_READY: 'cilium-config write-cni-conf-when-ready optional',
    });
    const add = ['NET_ADMIN', 'SYS_MODULE', 'SYS_ADMIN', 'SYS_RESOURCE'];
    expect(clean.securityContext).toEqual({ seLinuxOptions: spcType, capabilities: { add, drop: ['ALL'] } });
    expect(mountsOf(clean)).toEqual([
      'bpf-maps /sys/fs/bpf',
      'cilium-cgroup /run/cilium/cgroupv2 HostToContainer',
      'cilium-run /var/run/cilium',
    ]);
    const install = container(line, 'install-cni-binaries');
    expect(install.command).toEqual(['/install-plugin.sh']);
    expect(install.securityContext).toEqual({ seLinuxOptions: spcType, capabilities: { drop: ['ALL'] } });
    expect(install.resources).toEqual({
      requests: { cpu: '100m', memory: '10Mi' },
      ...(line === 'v1.20' ? { limits: { cpu: '1', memory: '1Gi' } } : {}),
    });
    expect(mountsOf(install)).toEqual(['cni-path /host/opt/cni/bin']);
  });
});

test('v1.20 says which ports of the node it takes', () => {
  expect(container('v1.15', 'cilium-agent').ports).toBeUndefined();
  expect(container('v1.20', 'cilium-agent').ports).toEqual([
    { name: 'health', containerPort: 9879, hostPort: 9879, protocol: 'TCP' },
    { name: 'peer-service', containerPort: 4244, hostPort: 4244, protocol: 'TCP' },
  ]);
});

const annotated = Object.fromEntries(
  ['cilium-agent', 'clean-cilium-state', 'mount-cgroup', 'apply-sysctl-overwrites'].map((name) => {
    return [`container.apparmor.security.beta.kubernetes.io/${name}`, 'unconfined'];
  }),
);
const appArmorProfile = { type: 'Unconfined' };
const seccompProfile = { type: 'Unconfined' };

test.each([
  ['v1.15', 'v1.29.14', annotated, {}],
  ['v1.15', 'v1.30.0', {}, { appArmorProfile }],
  ['v1.20', 'v1.28.9', annotated, { seccompProfile }],
  ['v1.20', 'v1.36.1', {}, { appArmorProfile, seccompProfile }],
] as const)('AppArmor leaves %s alone on Kubernetes %s', (line, kubernetesVersion, annotations, securityContext) => {
  const { metadata, spec } = daemonSet(line, { kubernetesVersion }).spec!.template;
  expect(metadata?.annotations).toEqual({
    'kubectl.kubernetes.io/default-container': 'cilium-agent',
    ...annotations,
  });
  expect(spec?.securityContext).toEqual(securityContext);
});
