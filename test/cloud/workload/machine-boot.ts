import { connectApi, type KubernetesApi } from '../../env/kubernetes-api.ts';
import type { ApiServer } from './api-server.ts';
import { readBootstrapData } from './bootstrap-data.ts';
import type { CertificateSigner, KeyPair } from './certificate-signer.ts';
import type { ClusterFolder } from './cluster-folder.ts';
import type { EtcdMembers } from './etcd-members.ts';
import { uploadKubeadmObjects } from './kubeadm-objects.ts';
import { type KubeadmRun, readKubeadmRun } from './kubeadm-run.ts';
import { type KubeletProcess, prepareKubelet } from './kubelet-process.ts';
import { markControlPlane, registerNode } from './nodes.ts';
import type { ProcessRunner } from './process-runner.ts';
import { mirrorStaticPods } from './static-pods.ts';
import type { SimulatedMachine, WorkloadAccess } from './workload-cluster.ts';

/** What machines boot into. */
export interface BootContext {
  readonly access: WorkloadAccess;
  /** As the administrator. */
  readonly api: KubernetesApi;
  readonly apiServer: ApiServer;
  readonly members: EtcdMembers;
  readonly processes: ProcessRunner;
  readonly folder: ClusterFolder;
  readonly authority: CertificateSigner;
  /** Binary of the kubelet. */
  readonly kubelet: string;
}

/** A machine with what it keeps through every boot. */
export interface InstalledMachine {
  readonly machine: SimulatedMachine;
  readonly run: KubeadmRun;
  /** What its kubelet serves with, and who it is at the API server. */
  readonly identity: KeyPair;
  readonly kubelet: KubeletProcess;
}

/** @throws when the bootstrap data cannot be that of such a machine. */
export async function installMachine(context: BootContext, machine: SimulatedMachine): Promise<InstalledMachine> {
  const run = readKubeadmRun(readBootstrapData(machine.bootstrapData), machine.name);
  if (run.isControlPlane !== machine.isControlPlane) {
    const role = machine.isControlPlane ? 'control plane' : 'worker';
    throw new TypeError(`${machine.name} is a ${role} machine, but kubeadm is told otherwise.`);
  }
  const { nodeName } = run;
  const subject = { commonName: `system:node:${nodeName}`, organization: 'system:nodes', hosts: [nodeName] };
  const identity = await context.authority.sign(subject);
  return { machine, run, identity, kubelet: await prepareKubelet(context, { nodeName, identity }) };
}

/** Does what kubeadm and then the kubelet do on a control plane machine. Repeatable. */
export async function bootControlPlane(context: BootContext, installed: InstalledMachine): Promise<void> {
  const { machine, run, kubelet } = installed;
  const { nodeName } = run;
  const { members, apiServer, api } = context;
  if (run.kind === 'join' && !members.initialised) {
    throw new Error(`There is no control plane yet that ${machine.name} could join.`);
  }
  if (run.kind === 'init' && members.initialised && !members.has(nodeName)) {
    throw new Error(`${machine.name} would found a second control plane.`);
  }
  const [etcdAddress] = await Promise.all([members.start(nodeName), apiServer.start()]);
  kubelet.start(staticPodPorts(context, run, etcdAddress));
  if (run.kind === 'init') {
    await uploadKubeadmObjects(api, { ...run, kubernetesVersion: machine.kubernetesVersion });
  }
  await asKubelet(context, installed, async (connection) => {
    const nodeUid = await register(connection, installed);
    await markControlPlane(api, nodeName);
    await mirrorStaticPods(connection, { nodeName, nodeUid, kubernetesVersion: machine.kubernetesVersion });
  });
}

/** Does what kubeadm and then the kubelet do on a worker. Repeatable. */
export async function bootWorker(context: BootContext, installed: InstalledMachine): Promise<void> {
  if (!context.apiServer.running) {
    throw new Error(`There is no cluster that ${installed.machine.name} could join.`);
  }
  await asKubelet(context, installed, (connection) => register(connection, installed));
}

/** Starts again what ran on a control plane machine; the API server needs a quorum of them. */
export function restartControlPlane(context: BootContext, { run, kubelet }: InstalledMachine): void {
  kubelet.start(staticPodPorts(context, run, context.members.revive(run.nodeName)));
}

/** Where the ports of the static pods lead. */
function staticPodPorts({ access }: BootContext, run: KubeadmRun, etcdAddress: string): Record<string, string> {
  return {
    [`etcd-${run.nodeName}:2379`]: etcdAddress,
    [`kube-apiserver-${run.nodeName}:${run.bindPort}`]: new URL(access.server).host,
  };
}

function register(connection: KubernetesApi, { machine, run, kubelet }: InstalledMachine): Promise<string> {
  const { providerId, address, kubernetesVersion } = machine;
  const { labels, taints } = run;
  const name = run.nodeName;
  return registerNode(connection, {
    name,
    providerId,
    address,
    kubernetesVersion,
    labels,
    taints,
    kubeletPort: kubelet.port,
  });
}

async function asKubelet(
  { access }: BootContext,
  { identity }: InstalledMachine,
  work: (connection: KubernetesApi) => Promise<unknown>,
): Promise<void> {
  const { server, caCertificate } = access;
  const connection = connectApi({
    server,
    caCertificate,
    clientCertificate: identity.certificate,
    clientKey: identity.privateKey,
  });
  try {
    await work(connection);
  } finally {
    connection.close();
  }
}
