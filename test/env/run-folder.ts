import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dump } from 'js-yaml';
import { ControlPlaneError } from './control-plane-error.ts';
import type { PartName } from './parts.ts';

/** Counts each call once and keeps no bodies. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};

/** The files of one run. */
export interface RunFolder {
  readonly directory: string;
  /** What nobody needs once the processes are gone. */
  readonly data: string;
  /** Keys and certificates; kube-apiserver adds its own self-signed pair, which the managers' webhooks use as well. */
  readonly pki: string;
  readonly logs: string;
  readonly kubeconfig: string;
  readonly auditLog: string;
  readonly auditPolicy: string;
  readonly tokens: string;
  readonly adminToken: string;
}

/**
 * Creates the folder of a run with what the parts read.
 * @param directory Taken as it is, must be empty or absent. @default a new folder for temporary files
 */
export async function createRunFolder(directory?: string): Promise<RunFolder> {
  const root = directory === undefined ? await mkdtemp(join(tmpdir(), 'magnum-capi-env-')) : resolve(directory);
  const pki = join(root, 'pki');
  const folder = {
    directory: root,
    data: join(root, 'data'),
    pki,
    logs: join(root, 'logs'),
    kubeconfig: join(root, 'kubeconfig'),
    auditLog: join(root, 'audit.log'),
    auditPolicy: join(root, 'audit-policy.yaml'),
    tokens: join(pki, 'tokens.csv'),
    adminToken: randomBytes(24).toString('hex'),
  };
  await requireEmpty(root);
  await Promise.all([folder.data, pki, folder.logs].map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
  await writeFile(folder.auditPolicy, dump(auditPolicy));
  await writeSecret(folder.tokens, `${folder.adminToken},admin,admin,"system:masters"\n`);
  await writeServiceAccountKeys(pki);
  return folder;
}

/** Empties the folder for another attempt, or removes it. */
export async function removeRunFolder(folder: RunFolder): Promise<void> {
  await rm(folder.directory, { recursive: true, force: true, maxRetries: 3 });
}

export function logPath(folder: RunFolder, part: PartName | 'reaper'): string {
  return join(folder.logs, `${part}.log`);
}

/** Writes a kubeconfig of the cluster's administrator. */
export async function writeKubeconfig(folder: RunFolder, server: string, caCertificate: string): Promise<void> {
  const name = 'management';
  const certificate = Buffer.from(caCertificate).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': certificate } }],
    users: [{ name, user: { token: folder.adminToken } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  await writeSecret(folder.kubeconfig, dump(config));
}

async function requireEmpty(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') {
      return [];
    }
    throw new ControlPlaneError(`The folder ${directory} cannot be used: ${cause.message}.`, { cause });
  });
  if (entries.length > 0) {
    throw new ControlPlaneError(`The folder ${directory} is not empty: name one that is, or one that does not exist.`);
  }
}

async function writeServiceAccountKeys(pki: string): Promise<void> {
  const keys = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  await writeSecret(join(pki, 'sa.key'), keys.privateKey);
  await writeFile(join(pki, 'sa.pub'), keys.publicKey);
}

async function writeSecret(path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o600 });
}
