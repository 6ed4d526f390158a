import type { Argv } from 'yargs';
import type { KubernetesClient } from '../shared/kubernetes/client.ts';
import type { KubernetesConnection } from '../shared/kubernetes/connection.ts';

export interface ManagementClusterOptions {
  kubeconfig: string | undefined;
  context: string | undefined;
  namespace: string;
}

export const defaultNamespace = 'magnum-system';

/** Adds `--kubeconfig`, `--context` and `--namespace`. */
export function managementClusterOptions<T>(yargs: Argv<T>): Argv<T & ManagementClusterOptions> {
  return yargs
    .option('kubeconfig', {
      type: 'string',
      requiresArg: true,
      describe: "File with the way to the management cluster [default: kubectl's]",
    })
    .option('context', {
      type: 'string',
      requiresArg: true,
      describe: "Context of that file [default: the file's current one]",
    })
    .option('namespace', {
      alias: 'n',
      type: 'string',
      requiresArg: true,
      default: defaultNamespace,
      describe: 'Namespace of the clusters',
    });
}

export interface ManagementCluster {
  readonly client: KubernetesClient;
  readonly connection: KubernetesConnection;
  readonly namespace: string;
  /** Closes its connections. */
  readonly close: () => void;
}

/**
 * Connects; what client-node needs to read a kubeconfig is loaded only now.
 * @throws Error in one sentence where the kubeconfig is missing or makes no sense
 */
export async function connectManagementCluster(given: ManagementClusterOptions): Promise<ManagementCluster> {
  const [{ kubeConfigConnection }, { createKubernetesClient }] = await Promise.all([
    import('../shared/kubernetes/kubeconfig-connection.ts'),
    import('../shared/kubernetes/client.ts'),
  ]);
  const connection = await kubeConfigConnection({ path: given.kubeconfig, context: given.context });
  const client = createKubernetesClient(connection);
  return { client, connection, namespace: given.namespace, close: () => client.close() };
}
