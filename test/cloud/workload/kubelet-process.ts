import type { KeyPair } from './certificate-signer.ts';
import { type ClusterFolder, type KeyPairFiles, writeKeyPair } from './cluster-folder.ts';
import { lastingPort } from './lasting-ports.ts';
import type { ProcessRunner } from './process-runner.ts';

/** What serves port-forwarding on a control plane machine; on a worker nobody asks for it, so that it is never started. */
export interface KubeletProcess {
  readonly port: number;
  /** @param forwards Addresses by `<pod>:<port>`. */
  start(forwards: Readonly<Record<string, string>>): void;
  kill(): Promise<void>;
}

interface KubeletContext {
  readonly processes: ProcessRunner;
  readonly folder: ClusterFolder;
  /** Binary of the kubelet. */
  readonly kubelet: string;
}

interface KubeletIdentity {
  readonly nodeName: string;
  readonly identity: KeyPair;
}

export async function prepareKubelet(
  { processes, folder, kubelet }: KubeletContext,
  { nodeName, identity }: KubeletIdentity,
): Promise<KubeletProcess> {
  const name = `kubelet-${nodeName}`;
  const port = await lastingPort();
  const files = await writeKeyPair(folder, name, identity);
  return {
    port,
    start: (forwards) =>
      processes.start(name, { command: kubelet, args: kubeletArguments(folder, { files, port }, forwards) }),
    kill: () => processes.kill(name),
  };
}

function kubeletArguments(
  folder: ClusterFolder,
  { files, port }: { readonly files: KeyPairFiles; readonly port: number },
  forwards: Readonly<Record<string, string>>,
): string[] {
  return [
    `--listen=127.0.0.1:${port}`,
    `--certificate=${files.certificate}`,
    `--key=${files.privateKey}`,
    `--client-ca=${folder.authority}`,
    ...Object.entries(forwards).map(([pod, address]) => `--forward=${pod}=${address}`),
  ];
}
