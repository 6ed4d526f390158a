import type { KeyPair } from './certificate-signer.ts';

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
  /** An empty or absent folder of its own, for files, logs and data. */
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
  /** The machine dies: its kubelet and etcd member end, and its Node's conditions become Unknown. */
  kill(name: string): Promise<void>;
  /** Starts a killed machine again, with the data it had. */
  revive(name: string): Promise<void>;
  /** The API server hangs: connections stay open, and nothing answers. */
  pauseApi(): void;
  resumeApi(): void;
  /** Ends every process and removes the data. */
  stop(): Promise<void>;
}

export async function createWorkloadCluster(options: WorkloadClusterOptions): Promise<WorkloadCluster> {
  throw new Error(`${options.name} cannot be created yet.`);
}
