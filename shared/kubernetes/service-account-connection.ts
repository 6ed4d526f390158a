import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from './clock.ts';
import type { KubernetesConnection } from './connection.ts';

/** The kubelet replaces a token long before it expires, but a revoked or moved one must not be used for long. */
const tokenMaxAgeMs = 60_000;

interface ServiceAccountOptions {
  /** KUBERNETES_SERVICE_HOST. */
  readonly host: string;
  /** KUBERNETES_SERVICE_PORT. */
  readonly port: string | number;
  /** Folder with `token` and `ca.crt`. @default where Kubernetes mounts it */
  readonly directory?: string;
  readonly clock?: Clock;
}

/**
 * The connection of a pod: the token file is read again when it was read more than 60 s ago, and at once after a 401.
 * @throws Error when the certificate authority cannot be read, at start.
 */
export function serviceAccountConnection(options: ServiceAccountOptions): KubernetesConnection {
  const { host, port, directory = '/var/run/secrets/kubernetes.io/serviceaccount', clock = systemClock } = options;
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    caCertificate: readFileSync(join(directory, 'ca.crt'), 'utf8'),
    token: fileToken(join(directory, 'token'), clock),
  };
}

function fileToken(file: string, clock: Clock): (rejected?: string) => Promise<string> {
  let cached: { readonly token: string; readonly readAt: number } | undefined;
  return async (rejected) => {
    const readAt = clock.monotonic();
    if (cached !== undefined && cached.token !== rejected && readAt - cached.readAt < tokenMaxAgeMs)
      return cached.token;
    const token = (await readFile(file, 'utf8')).trim();
    if (token === '') throw new Error(`The token file ${file} of the ServiceAccount is empty.`);
    cached = { token, readAt };
    return token;
  };
}
