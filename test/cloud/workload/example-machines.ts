import type { SimulatedMachine } from './workload-cluster.ts';

const cluster = `---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
clusterName: kube-abcde
kubernetesVersion: v1.34.1
networking: {podSubnet: 10.100.0.0/16, serviceSubnet: 10.254.0.0/16}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration: {name: '{{ local_hostname }}', taints: null}
`;

const controlPlane = `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
controlPlane: {localAPIEndpoint: {}}
nodeRegistration: {name: '{{ local_hostname }}', taints: null}
`;

const worker = `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
nodeRegistration:
  name: '{{ local_hostname }}'
  kubeletExtraArgs: [{name: node-labels, value: "example.com/pool=blue"}]
  taints: [{key: node.cluster.x-k8s.io/uninitialized, effect: NoSchedule}]
`;

/** The machine that founds the control plane. */
export function firstMachine(name: string): SimulatedMachine {
  return machine(name, { path: '/run/kubeadm/kubeadm.yaml', content: cluster, isControlPlane: true });
}

/** Such a machine with Flatcar, of a cluster that replaces kube-proxy. */
export function firstFlatcarMachine(name: string): SimulatedMachine {
  const content = cluster.replace('{{ local_hostname }}', '__NODE_NAME__').concat('skipPhases: [addon/kube-proxy]\n');
  const file = { path: '/etc/kubeadm.yml', contents: { source: `data:,${encodeURIComponent(content)}` } };
  const bootstrapData = JSON.stringify({ ignition: { version: '2.3.0' }, storage: { files: [file] } });
  return { ...firstMachine(name), bootstrapData };
}

export function controlPlaneMachine(name: string): SimulatedMachine {
  return machine(name, { path: '/run/kubeadm/kubeadm-join-config.yaml', content: controlPlane, isControlPlane: true });
}

export function workerMachine(name: string, configuration = worker): SimulatedMachine {
  return machine(name, { path: '/etc/kubeadm.yml', content: configuration, isControlPlane: false });
}

interface Role {
  readonly path: string;
  readonly content: string;
  readonly isControlPlane: boolean;
}

function machine(name: string, { path, content, isControlPlane }: Role): SimulatedMachine {
  const file = { path, encoding: 'base64', content: Buffer.from(content).toString('base64') };
  return {
    name,
    providerId: `openstack:///${name}`,
    address: '10.6.0.11',
    kubernetesVersion: 'v1.34.1',
    bootstrapData: `## template: jinja\n#cloud-config\n${JSON.stringify({ write_files: [file] })}`,
    isControlPlane,
  };
}
