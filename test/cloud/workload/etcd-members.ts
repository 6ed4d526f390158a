import { join } from 'node:path';
import { connectApi, type KubernetesApi } from '../../env/kubernetes-api.ts';
import type { CertificateSigner, KeyPair } from './certificate-signer.ts';
import { type ClusterFolder, type KeyPairFiles, writeKeyPair } from './cluster-folder.ts';
import { announceMember, firstMember, type InitialCluster, promoteMember } from './etcd-membership.ts';
import { lastingPort } from './lasting-ports.ts';
import type { Command, ProcessRunner } from './process-runner.ts';

interface EtcdOptions {
  readonly command: string;
  readonly folder: ClusterFolder;
  readonly processes: ProcessRunner;
  readonly authority: KeyPair;
  readonly signer: CertificateSigner;
}

interface Member {
  readonly clientAddress: string;
  readonly peerUrl: string;
  readonly process: string;
  readonly command: Command;
  readonly api: KubernetesApi;
}

/** The etcd cluster that lives on the control plane machines. */
export class EtcdMembers {
  readonly #options: EtcdOptions;
  readonly #trusted: string;
  readonly #client: KeyPair;
  readonly #members = new Map<string, Member>();

  static async create(options: EtcdOptions): Promise<EtcdMembers> {
    const client = await options.signer.sign({ commonName: 'root' });
    const { certificate } = await writeKeyPair(options.folder, 'etcd-ca', options.authority);
    return new EtcdMembers(options, client, certificate);
  }

  private constructor(options: EtcdOptions, client: KeyPair, trusted: string) {
    this.#options = options;
    this.#client = client;
    this.#trusted = trusted;
  }

  /** Whether there is a cluster that others can join. */
  get initialised(): boolean {
    return this.#members.size > 0;
  }

  has(node: string): boolean {
    return this.#members.has(node);
  }

  /** Starts the member of a node, as the first one or as one that joins, and returns its client address when it is ready. */
  async start(node: string): Promise<string> {
    const { processes } = this.#options;
    const member = this.#members.get(node) ?? (await this.#add(node));
    this.#members.set(node, member);
    const { process, command, api, clientAddress, peerUrl } = member;
    processes.start(process, command);
    if (this.#members.size > 1) {
      await processes.waitFor(process, () => promoteMember({ peerUrl, live: this.#liveBeside(node) }));
    }
    await processes.waitFor(process, () => api.call('GET', '/readyz'));
    return clientAddress;
  }

  /** Ends a member's process, if there is one; its data remains, and the others still count it. */
  async kill(node: string): Promise<void> {
    const member = this.#members.get(node);
    if (member !== undefined) {
      await this.#options.processes.kill(member.process);
    }
  }

  /** Starts a killed member with the data it had, and returns its client address; it answers once a quorum runs. */
  revive(node: string): string {
    const member = this.#members.get(node);
    if (member === undefined) {
      throw new RangeError(`The node ${node} has no etcd member.`);
    }
    this.#options.processes.start(member.process, member.command);
    return member.clientAddress;
  }

  /** The member of a node will not come back; the others count it until they are told otherwise. */
  forget(node: string): void {
    this.#members.get(node)?.api.close();
    this.#members.delete(node);
  }

  close(): void {
    for (const { api } of this.#members.values()) {
      api.close();
    }
  }

  async #add(node: string): Promise<Member> {
    const { authority, signer, folder, command } = this.#options;
    const addresses = await chooseAddresses();
    const { peerUrl, clientUrl } = addresses;
    const live = this.#liveBeside(node);
    const cluster = this.initialised ? await announceMember({ node, peerUrl, live }) : firstMember(node, peerUrl);
    const pair = await writeKeyPair(folder, `etcd-${node}`, await signer.sign({ commonName: node, hosts: [node] }));
    const args = memberArguments({ node, cluster, pair, addresses, folder, trusted: this.#trusted });
    const api = connectApi({
      server: clientUrl,
      caCertificate: authority.certificate,
      clientCertificate: this.#client.certificate,
      clientKey: this.#client.privateKey,
    });
    return { ...addresses, process: `etcd-${node}`, command: { command, args }, api };
  }

  #liveBeside(node: string): KubernetesApi[] {
    const others = [...this.#members].filter(([name]) => name !== node).map(([, member]) => member);
    return others.filter(({ process }) => this.#options.processes.isRunning(process)).map(({ api }) => api);
  }
}

interface Addresses {
  readonly clientAddress: string;
  readonly clientUrl: string;
  readonly peerUrl: string;
}

async function chooseAddresses(): Promise<Addresses> {
  const clientAddress = `127.0.0.1:${await lastingPort()}`;
  return { clientAddress, clientUrl: `https://${clientAddress}`, peerUrl: `https://127.0.0.1:${await lastingPort()}` };
}

interface MemberFiles {
  readonly node: string;
  readonly cluster: InitialCluster;
  readonly pair: KeyPairFiles;
  readonly addresses: Addresses;
  readonly folder: ClusterFolder;
  readonly trusted: string;
}

function memberArguments({ node, cluster, pair, addresses, folder, trusted }: MemberFiles): string[] {
  return [
    `--name=${node}`,
    `--data-dir=${join(folder.data, `etcd-${node}`)}`,
    `--listen-client-urls=${addresses.clientUrl}`,
    `--advertise-client-urls=${addresses.clientUrl}`,
    `--listen-peer-urls=${addresses.peerUrl}`,
    `--initial-advertise-peer-urls=${addresses.peerUrl}`,
    `--initial-cluster=${cluster.peers}`,
    `--initial-cluster-state=${cluster.state}`,
    `--cert-file=${pair.certificate}`,
    `--key-file=${pair.privateKey}`,
    `--trusted-ca-file=${trusted}`,
    '--client-cert-auth',
    `--peer-cert-file=${pair.certificate}`,
    `--peer-key-file=${pair.privateKey}`,
    `--peer-trusted-ca-file=${trusted}`,
    '--peer-client-cert-auth',
    // What a crash of the machine would lose is thrown away anyhow.
    '--unsafe-no-fsync',
    // On a machine that runs everything at once, a member is late without being dead.
    '--heartbeat-interval=250',
    '--election-timeout=2500',
    '--log-level=warn',
  ];
}
