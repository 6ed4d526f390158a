import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { connectionOf, loadKubeConfig } from '../../shared/kubernetes/kubeconfig-connection.ts';

/** By which somebody reaches the API of a workload cluster; all in PEM. */
export interface WorkloadAccess {
  readonly server: string;
  readonly caCertificate: string;
  readonly certificate: string;
  readonly privateKey: string;
}

/** What a kubeconfig with a client certificate says. */
export async function accessOfKubeconfig(path: string): Promise<WorkloadAccess> {
  const { server, caCertificate = '', clientCertificate } = await connectionOf(loadKubeConfig({ path }));
  if (clientCertificate === undefined) throw new Error(`${path} has no client certificate.`);
  return { server, caCertificate, ...clientCertificate };
}

const nodes = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });

/** Names of the nodes, as the API server tells them to who has the certificate. @throws Error where it refuses */
export async function nodeNames(access: WorkloadAccess): Promise<readonly string[]> {
  const { server, caCertificate: ca, certificate: cert, privateKey: key } = access;
  const body = await new Promise<string>((resolve, reject) => {
    const asked = request(new URL('/api/v1/nodes', server), { ca, cert, key, agent: false }, (answer) => {
      text(answer).then((read) => {
        answer.statusCode === 200 ? resolve(read) : reject(new Error(`${answer.statusCode}: ${read}`));
      }, reject);
    });
    asked.once('error', reject).end();
  });
  return nodes.parse(JSON.parse(body)).items.map(({ metadata }) => metadata.name);
}
