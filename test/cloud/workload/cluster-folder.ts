import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { KeyPair } from './certificate-signer.ts';

/** The files of one cluster. */
export interface ClusterFolder {
  /** What nobody needs once the processes are gone, keys included. */
  readonly data: string;
  /** One file a process. */
  readonly logs: string;
  /** Certificate of the cluster's authority. */
  readonly authority: string;
}

/** Paths of a certificate and its key. */
export interface KeyPairFiles {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Logs of an earlier cluster are kept. @throws when a cluster has its data in the folder. */
export async function createClusterFolder(directory: string): Promise<ClusterFolder> {
  const root = resolve(directory);
  const data = join(root, 'data');
  const folder = { data, logs: join(root, 'logs'), authority: join(data, 'ca.crt') };
  await mkdir(folder.logs, { recursive: true, mode: 0o700 });
  await mkdir(folder.data, { mode: 0o700 });
  return folder;
}

export async function removeData(folder: ClusterFolder): Promise<void> {
  await rm(folder.data, { recursive: true, force: true, maxRetries: 3 });
}

export async function writeKeyPair(folder: ClusterFolder, name: string, pair: KeyPair): Promise<KeyPairFiles> {
  const files = { certificate: join(folder.data, `${name}.crt`), privateKey: join(folder.data, `${name}.key`) };
  await writeFile(files.certificate, pair.certificate);
  await writeFile(files.privateKey, pair.privateKey, { mode: 0o600 });
  return files;
}
