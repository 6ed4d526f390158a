import { type Assets, resolveAssets } from '../../env/assets.ts';
import { connectApi, type KubernetesApi } from '../../env/kubernetes-api.ts';
import type { AssetName } from '../../env/parts.ts';
import { ApiServer } from './api-server.ts';
import { type CertificateSigner, createSigner, type KeyPair } from './certificate-signer.ts';
import { type ClusterFolder, createClusterFolder, removeData } from './cluster-folder.ts';
import { ClusterMachines } from './cluster-machines.ts';
import { EtcdMembers } from './etcd-members.ts';
import { chooseKeyspace, clearKeyspace, type Keyspace } from './keyspace.ts';
import { lastingPort } from './lasting-ports.ts';
import type { BootContext } from './machine-boot.ts';
import { ProcessRunner } from './process-runner.ts';
import { endTerminatingPods } from './terminating-pods.ts';

export type { KeyPair } from './certificate-signer.ts';

/** What Cluster API keeps in the Secrets `<name>-ca`, `-etcd`, `-proxy` and `-sa`. */
export interface ClusterAuthorities {
  readonly ca: KeyPair;
  readonly etcd: KeyPair;
  readonly frontProxy: KeyPair;
  /** Its certificate may also be a bare public key. */
  readonly serviceAccount: KeyPair;
}

export interface WorkloadClusterOptions {
  /** The Cluster's name, e.g. `kube-abcde`. */
  readonly name: string;
  readonly authorities: ClusterAuthorities;
  /** Folder of its own for files, logs and data; made where it is absent. */
  readonly directory: string;
  /** The management etcd, which the workload API server shares under a prefix of its own. */
  readonly managementEtcdUrl: string;
  /** @default 10.254.0.0/16 */
  readonly serviceCidr?: string;
  readonly onProgress?: (line: string) => void;
}

/** A server of the cloud with what its kubeadm and kubelet are told. */
export interface SimulatedMachine {
  /** Name of the server and of its Node. */
  readonly name: string;
  /** `openstack:///<server id>` */
  readonly providerId: string;
  /** The InternalIP that users see. */
  readonly address: string;
  /** E.g. `v1.34.1`. */
  readonly kubernetesVersion: string;
  /** The decoded value of the bootstrap Secret: cloud-init or Ignition. */
  readonly bootstrapData: string;
  readonly isControlPlane: boolean;
}

/** How tests look inside. */
export interface WorkloadAccess {
  /** `https://127.0.0.1:<port>` */
  readonly server: string;
  /** PEM. */
  readonly caCertificate: string;
  /** PEM, of a member of system:masters. */
  readonly clientCertificate: string;
  /** PEM. */
  readonly clientKey: string;
}

/** A workload cluster of which everything but the virtual machines is real. */
export interface WorkloadCluster {
  /** Reserved from the start; refuses connections until the first control plane machine has booted. */
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly access: WorkloadAccess;
  /** Runs what kubeadm and kubelet would: returns when the machine's Node is registered and Ready. Repeatable. */
  boot(machine: SimulatedMachine): Promise<void>;
  /** The server is deleted: its kubelet and etcd member end; the Node is removed as the cloud controller manager would. */
  powerOff(name: string): Promise<void>;
  /**
   * The machine dies: its kubelet and etcd member end, and its Node's conditions become Unknown. Without a quorum of members the API
   * server hangs, and without any it is gone.
   */
  kill(name: string): Promise<void>;
  /** Starts a killed machine again, with the data it had; its etcd member answers once a quorum of them runs. */
  revive(name: string): Promise<void>;
  /** The API server hangs: connections stay open, and nothing answers. */
  pauseApi(): void;
  resumeApi(): void;
  /** Ends every process and removes the data. */
  stop(): Promise<void>;
}

const defaultServiceCidr = '10.254.0.0/16';

/**
 * Reserves the endpoint of a cluster and prepares its certificates; no part of it runs until the first machine boots.
 * @throws {AssetError} when a binary is missing and cannot be built.
 */
export async function createWorkloadCluster(options: WorkloadClusterOptions): Promise<WorkloadCluster> {
  const { onProgress = () => undefined } = options;
  const assets = await resolveAssets({ names: ['etcd', 'kube-apiserver', 'workload-kubelet'], onProgress });
  const folder = await createClusterFolder(options.directory);
  const processes = new ProcessRunner({ folder, onProgress });
  try {
    return await assemble(options, { assets, folder, processes });
  } catch (error) {
    await processes.stop();
    await removeData(folder);
    throw error;
  }
}

interface Foundation {
  readonly assets: Assets;
  readonly folder: ClusterFolder;
  readonly processes: ProcessRunner;
}

async function assemble(options: WorkloadClusterOptions, foundation: Foundation): Promise<WorkloadCluster> {
  const { onProgress = () => undefined } = options;
  const authority = await createSigner(options.authorities.ca);
  const endpoint = { host: '127.0.0.1', port: await lastingPort() };
  const access = await administratorAccess(options, authority, endpoint.port);
  const api = connectApi(access);
  const space = chooseKeyspace(options.name, options.managementEtcdUrl);
  const context = await bootContext(options, { ...foundation, authority, access, api, keyspace: space });
  const machines = new ClusterMachines({ context, onRevival: () => pods.rescan(), onProgress });
  const pods = endTerminatingPods({ access, api, isRunning: (node) => machines.runs(node) });
  const stop = async () => {
    machines.close();
    pods.close();
    await foundation.processes.stop();
    context.members.close();
    api.close();
    await Promise.all([removeData(foundation.folder), clearKeyspace(space)]);
  };
  let stopping: Promise<void> | undefined;
  return {
    endpoint,
    access,
    boot: (machine) => machines.boot(machine),
    powerOff: (name) => machines.powerOff(name),
    kill: (name) => machines.kill(name),
    revive: (name) => machines.revive(name),
    pauseApi: () => context.apiServer.pause('asked'),
    resumeApi: () => {
      context.apiServer.resume('asked');
      machines.settleLater();
    },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

async function administratorAccess(
  { authorities }: WorkloadClusterOptions,
  authority: CertificateSigner,
  port: number,
): Promise<WorkloadAccess> {
  const pair = await authority.sign({ commonName: 'kubernetes-admin', organization: 'system:masters' });
  return {
    server: `https://127.0.0.1:${port}`,
    caCertificate: authorities.ca.certificate,
    clientCertificate: pair.certificate,
    clientKey: pair.privateKey,
  };
}

interface Connections extends Foundation {
  readonly authority: CertificateSigner;
  readonly access: WorkloadAccess;
  readonly api: KubernetesApi;
  readonly keyspace: Keyspace;
}

async function bootContext(options: WorkloadClusterOptions, connections: Connections): Promise<BootContext> {
  const { assets, folder, processes, authority, access, api, keyspace } = connections;
  const { authorities, name, serviceCidr = defaultServiceCidr } = options;
  const [etcdSigner, frontProxy] = await Promise.all([
    createSigner(authorities.etcd),
    createSigner(authorities.frontProxy),
  ]);
  const members = await EtcdMembers.create({
    command: requireAsset(assets, 'etcd'),
    folder,
    processes,
    authority: authorities.etcd,
    signer: etcdSigner,
  });
  const apiServer = await ApiServer.create({
    clusterName: name,
    command: requireAsset(assets, 'kube-apiserver'),
    server: access.server,
    keyspace,
    serviceCidr,
    folder,
    processes,
    authorities,
    signers: { ca: authority, frontProxy },
    api,
  });
  return {
    access,
    api,
    apiServer,
    members,
    processes,
    folder,
    authority,
    kubelet: requireAsset(assets, 'workload-kubelet'),
  };
}

function requireAsset(assets: Assets, name: AssetName): string {
  const path = assets.get(name);
  if (path === undefined) {
    throw new RangeError(`The assets have no ${name}.`);
  }
  return path;
}
