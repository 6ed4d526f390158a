import { load } from 'js-yaml';
import * as z from 'zod';
import { DependencyError } from '../contract/errors.ts';
import { managementNamespace as namespace } from '../render/metadata.ts';
import { stackNames } from '../render/stack-names.ts';
import type { CallOptions } from './caller.ts';
import type { KubernetesClient } from './client.ts';
import type { KubernetesConnection } from './connection.ts';
import { resources } from './resources.ts';

const encoded = z.base64().transform((text) => Buffer.from(text, 'base64').toString('utf8'));

/** The kubeconfig that Cluster API writes: one cluster and one user, with certificates. */
const kubeconfig = z.object({
  clusters: z
    .tuple([z.object({ cluster: z.object({ server: z.url(), 'certificate-authority-data': encoded }) })])
    .rest(z.unknown()),
  users: z
    .tuple([z.object({ user: z.object({ 'client-certificate-data': encoded, 'client-key-data': encoded }) })])
    .rest(z.unknown()),
});

/**
 * How the API of a workload cluster is reached, by the kubeconfig that Cluster API keeps for it.
 * @throws DependencyError where it is not there, or is none
 */
export async function workloadConnection(
  client: KubernetesClient,
  stackId: string,
  options: CallOptions = {},
): Promise<KubernetesConnection> {
  const { kubeconfig: name } = stackNames(stackId);
  const secret = await client.find(resources.secret, { namespace, name }, options);
  const text = Buffer.from(secret?.data?.['value'] ?? '', 'base64').toString('utf8');
  try {
    const { clusters, users } = kubeconfig.parse(load(text));
    const [{ cluster }] = clusters;
    const [{ user }] = users;
    return {
      server: cluster.server,
      caCertificate: cluster['certificate-authority-data'],
      clientCertificate: { certificate: user['client-certificate-data'], privateKey: user['client-key-data'] },
    };
  } catch {
    // No cause: a parser's message repeats the text, and with it the key.
    throw new DependencyError(`The Secret ${name} holds no usable kubeconfig.`);
  }
}
