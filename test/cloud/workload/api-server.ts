import { writeFile } from 'node:fs/promises';
import type { KubernetesApi } from '../../env/kubernetes-api.ts';
import type { CertificateSigner } from './certificate-signer.ts';
import { type ClusterFolder, type KeyPairFiles, writeKeyPair } from './cluster-folder.ts';
import type { Keyspace } from './keyspace.ts';
import type { ProcessRunner } from './process-runner.ts';
import type { ClusterAuthorities } from './workload-cluster.ts';

interface ApiServerOptions {
  readonly clusterName: string;
  readonly command: string;
  /** `https://127.0.0.1:<port>` */
  readonly server: string;
  readonly keyspace: Keyspace;
  readonly serviceCidr: string;
  readonly folder: ClusterFolder;
  readonly processes: ProcessRunner;
  readonly authorities: ClusterAuthorities;
  readonly signers: { readonly ca: CertificateSigner; readonly frontProxy: CertificateSigner };
  /** How an administrator reaches it. */
  readonly api: KubernetesApi;
}

const process = 'kube-apiserver';

/** Why it hangs: somebody wants it to, or etcd has lost its quorum. */
type PauseReason = 'asked' | 'no quorum';

/** The one kube-apiserver that stands for those of all control plane machines. */
export class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #args: readonly string[];
  readonly #paused = new Set<PauseReason>();

  static async create(options: ApiServerOptions): Promise<ApiServer> {
    return new ApiServer(options, apiServerArguments(options, await writeFiles(options)));
  }

  private constructor(options: ApiServerOptions, args: readonly string[]) {
    this.#options = options;
    this.#args = args;
  }

  get running(): boolean {
    return this.#options.processes.isRunning(process);
  }

  /** Whether calls to it may succeed. */
  get answers(): boolean {
    return this.running && this.#paused.size === 0;
  }

  /** Returns when it is ready; does nothing when it runs. */
  async start(): Promise<void> {
    if (this.running) {
      return;
    }
    const { processes, command, api } = this.#options;
    this.#paused.clear();
    processes.start(process, { command, args: this.#args });
    await processes.waitFor(process, () => api.call('GET', '/readyz'));
  }

  /** No control plane machine runs any more. */
  async kill(): Promise<void> {
    await this.#options.processes.kill(process);
  }

  pause(reason: PauseReason): void {
    this.#paused.add(reason);
    this.#options.processes.pause(process);
  }

  /** Goes on, unless there is another reason not to. */
  resume(reason: PauseReason): void {
    this.#paused.delete(reason);
    if (this.#paused.size === 0) {
      this.#options.processes.resume(process);
    }
  }
}

interface Files {
  readonly frontProxyCa: KeyPairFiles;
  readonly serving: KeyPairFiles;
  readonly kubeletClient: KeyPairFiles;
  readonly frontProxyClient: KeyPairFiles;
  readonly serviceAccount: KeyPairFiles;
}

/** Certificates with the names that kubeadm gives them: the control plane provider looks for one of them. */
async function writeFiles({ folder, authorities, signers, clusterName }: ApiServerOptions): Promise<Files> {
  await writeFile(folder.authority, authorities.ca.certificate);
  const kubelets = { commonName: 'kube-apiserver-kubelet-client', organization: 'system:masters' };
  const hosts = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', clusterName];
  const [serving, kubeletClient, frontProxyClient] = await Promise.all([
    signers.ca.sign({ commonName: 'kube-apiserver', hosts }),
    signers.ca.sign(kubelets),
    signers.frontProxy.sign({ commonName: 'front-proxy-client' }),
  ]);
  return {
    frontProxyCa: await writeKeyPair(folder, 'front-proxy-ca', authorities.frontProxy),
    serving: await writeKeyPair(folder, 'apiserver', serving),
    kubeletClient: await writeKeyPair(folder, 'apiserver-kubelet-client', kubeletClient),
    frontProxyClient: await writeKeyPair(folder, 'front-proxy-client', frontProxyClient),
    serviceAccount: await writeKeyPair(folder, 'sa', authorities.serviceAccount),
  };
}

function apiServerArguments({ server, keyspace, serviceCidr, folder }: ApiServerOptions, files: Files): string[] {
  return [
    `--etcd-servers=${keyspace.url}`,
    `--etcd-prefix=${keyspace.prefix}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${new URL(server).port}`,
    `--service-cluster-ip-range=${serviceCidr}`,
    '--endpoint-reconciler-type=none',
    ...authentication(files, folder.authority),
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    // Nobody here makes the service accounts that pods would need, nor removes the taint of a Node that became ready.
    '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
    '--allow-privileged',
    `--kubelet-client-certificate=${files.kubeletClient.certificate}`,
    `--kubelet-client-key=${files.kubeletClient.privateKey}`,
    // The InternalIP is for users; where the simulated kubelets listen stands in the internal name.
    '--kubelet-preferred-address-types=InternalDNS',
    // The machine is the limit, not a share of it.
    '--enable-priority-and-fairness=false',
    '--max-requests-inflight=0',
    '--max-mutating-requests-inflight=0',
    '--profiling=false',
  ];
}

function authentication(files: Files, authority: string): string[] {
  return [
    `--tls-cert-file=${files.serving.certificate}`,
    `--tls-private-key-file=${files.serving.privateKey}`,
    `--client-ca-file=${authority}`,
    '--enable-bootstrap-token-auth',
    // Reads the public key out of a certificate as well.
    `--service-account-key-file=${files.serviceAccount.certificate}`,
    `--service-account-signing-key-file=${files.serviceAccount.privateKey}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--requestheader-client-ca-file=${files.frontProxyCa.certificate}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
    `--proxy-client-cert-file=${files.frontProxyClient.certificate}`,
    `--proxy-client-key-file=${files.frontProxyClient.privateKey}`,
  ];
}
