import { join } from 'node:path';
import { connectApi, type KubernetesApi } from '../../env/kubernetes-api.ts';
import type { CertificateSigner, KeyPair } from './certificate-signer.ts';
import { type ClusterFolder, type KeyPairFiles, writeKeyPair } from './cluster-folder.ts';
import { announceMember, firstMember, type InitialCluster, promoteMember } from './etcd-membership.ts';
import { lastingPort } from './lasting-ports.ts';
import type { Command, ProcessRunner } from './process-runner.ts';

/** The etcd cluster that lives on the control plane machines. */
export interface EtcdMembers {
  /** Whether there is a cluster that a machine can join. */
  readonly initialised: boolean;
  /** Starts the member of a node, as the first one or as one that joins, and returns its client address when it is ready. */
  start(node: string): Promise<string>;
  /** Ends a member's process, if there is one; its data remains, and the others still count it. */
  kill(node: string): Promise<void>;
  /** Starts a killed member with the data it had, and returns its client address; it answers once a quorum runs. */
  revive(node: string): string;
  /** The member of a node will not come back; the others count it until they are told otherwise. */
  forget(node: string): void;
  close(): void;
}

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

export async function createEtcdMembers(options: EtcdOptions): Promise<EtcdMembers> {
  const { processes, authority, signer, folder } = options;
  const client = await signer.sign({ commonName: 'root' });
  const trusted = await writeKeyPair(folder, 'etcd-ca', authority);
  const members = new Map<string, Member>();
  const liveBeside = (node: string) =>
    [...members]
      .filter(([name, { process }]) => name !== node && processes.isRunning(process))
      .map(([, { api }]) => api);
  const add = async (node: string): Promise<Member> => {
    const addresses = await chooseAddresses();
    const { peerUrl } = addresses;
    const live = liveBeside(node);
    const cluster = members.size === 0 ? firstMember(node, peerUrl) : await announceMember({ node, peerUrl, live });
    const pair = await writeKeyPair(folder, `etcd-${node}`, await signer.sign({ commonName: node, hosts: [node] }));
    const args = memberArguments({ node, cluster, pair, addresses, folder, trusted: trusted.certificate });
    const api = connectApi({
      server: addresses.clientUrl,
      caCertificate: authority.certificate,
      clientCertificate: client.certificate,
      clientKey: client.privateKey,
    });
    return { ...addresses, process: `etcd-${node}`, command: { command: options.command, args }, api };
  };
  return {
    get initialised() {
      return members.size > 0;
    },
    start: async (node) => {
      const member = members.get(node) ?? (await add(node));
      members.set(node, member);
      const { process, command, api, clientAddress, peerUrl } = member;
      processes.start(process, command);
      if (members.size > 1) {
        await processes.waitFor(process, () => promoteMember({ peerUrl, live: liveBeside(node) }));
      }
      await processes.waitFor(process, () => api.call('GET', '/readyz'));
      return clientAddress;
    },
    kill: async (node) => {
      const member = members.get(node);
      if (member !== undefined) {
        await processes.kill(member.process);
      }
    },
    revive: (node) => {
      const { process, command, clientAddress } = requireMember(members, node);
      processes.start(process, command);
      return clientAddress;
    },
    forget: (node) => {
      members.get(node)?.api.close();
      members.delete(node);
    },
    close: () => {
      for (const { api } of members.values()) {
        api.close();
      }
    },
  };
}

function requireMember(members: ReadonlyMap<string, Member>, node: string): Member {
  const member = members.get(node);
  if (member === undefined) {
    throw new RangeError(`The node ${node} has no etcd member.`);
  }
  return member;
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
