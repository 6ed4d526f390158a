import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SourceAccess {
  /** `https://host:port` of the API server. */
  readonly server: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly token: string;
}

/** Writes a kubeconfig by which the local sources are who the ApiServerSource is in a cluster; gives its path. */
export async function writeSourceKubeconfig(directory: string, access: SourceAccess): Promise<string> {
  const name = 'management';
  const certificate = Buffer.from(access.caCertificate).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: access.server, 'certificate-authority-data': certificate } }],
    users: [{ name, user: { token: access.token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  const path = join(directory, 'source-kubeconfig.json');
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}
