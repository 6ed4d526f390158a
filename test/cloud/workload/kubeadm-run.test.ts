import { expect, test } from 'vitest';
import { readKubeadmRun } from './kubeadm-run.ts';

function read(path: string, content: string) {
  return readKubeadmRun({ format: 'cloud-config', files: new Map([[path, content]]), commands: [] }, 'machine-1');
}

const init = `---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
clusterName: kube-abcde
kubernetesVersion: v1.34.1
apiServer:
  extraArgs: [{name: profiling, value: "false"}]
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {bindPort: 6444}
skipPhases: [addon/kube-proxy]
nodeRegistration:
  imagePullPolicy: IfNotPresent
  kubeletExtraArgs:
  - {name: cloud-provider, value: external}
  name: '{{ local_hostname }}'
  taints: null
`;

test('the first machine initialises the control plane with the default taint and its own name', () => {
  expect(read('/run/kubeadm/kubeadm.yaml', init)).toEqual({
    kind: 'init',
    isControlPlane: true,
    nodeName: 'machine-1',
    labels: {},
    taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
    bindPort: 6444,
    skipPhases: ['addon/kube-proxy'],
    clusterConfiguration: expect.objectContaining({
      clusterName: 'kube-abcde',
      imageRepository: 'registry.k8s.io',
      apiServer: { extraArgs: [{ name: 'profiling', value: 'false' }] },
    }),
  });
});

test('a worker of an older version joins with the labels and taints that it is given', () => {
  const join = `
apiVersion: kubeadm.k8s.io/v1beta3
kind: JoinConfiguration
discovery: {bootstrapToken: {token: abcdef.0123456789abcdef}}
nodeRegistration:
  name: __REPLACE_NODE_NAME__
  kubeletExtraArgs: {node-labels: "a=b,example.com/c=d=e,f="}
  taints:
  - {key: gpu, value: "true", effect: NoSchedule}
`;
  expect(read('/etc/kubeadm.yml', join)).toEqual({
    kind: 'join',
    isControlPlane: false,
    nodeName: 'machine-1',
    labels: { a: 'b', 'example.com/c': 'd=e', f: '' },
    taints: [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }],
    bindPort: 6443,
    skipPhases: [],
  });
});

test.each([
  ['taints: []', []],
  ['name: x', [expect.objectContaining({ key: 'node-role.kubernetes.io/control-plane' })]],
])('a control plane machine that joins with %s has its taints', (registration, expected) => {
  const run = read(
    '/run/kubeadm/kubeadm-join-config.yaml',
    `{kind: JoinConfiguration, controlPlane: {localAPIEndpoint: {bindPort: 7443}}, nodeRegistration: {${registration}}}`,
  );
  expect(run).toMatchObject({ kind: 'join', isControlPlane: true, taints: expected, bindPort: 7443 });
});

test('a name that a Node can have is kept', () => {
  const run = read('/etc/kubeadm.yml', '{kind: JoinConfiguration, nodeRegistration: {name: own-name.example}}');
  expect(run.nodeName).toBe('own-name.example');
});

test.each([
  ['/etc/other', '', 'The bootstrap data has none of /run/kubeadm/kubeadm.yaml,'],
  ['/etc/kubeadm.yml', 'kind: ClusterConfiguration', 'but has 0'],
  ['/etc/kubeadm.yml', 'kind: JoinConfiguration\n---\nkind: JoinConfiguration', 'but has 2'],
  ['/etc/kubeadm.yml', 'kind: InitConfiguration', 'without a ClusterConfiguration'],
  ['/etc/kubeadm.yml', '{kind: JoinConfiguration, nodeRegistration: {taints: [{}]}}', 'taints'],
])('kubeadm would not take %s with %j', (path, content, message) => {
  expect(() => read(path, content)).toThrow(message);
});
