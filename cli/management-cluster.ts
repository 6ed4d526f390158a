import type { KubeConfig } from '@kubernetes/client-node';
import type { Argv } from 'yargs';
import type { KubernetesClient } from '../shared/kubernetes/client.ts';
import type { KubernetesConnection } from '../shared/kubernetes/connection.ts';
import { managementNamespace as namespace } from '../shared/render/metadata.ts';
import { UsageError } from './errors.ts';

export interface ManagementClusterOptions {
  kubeconfig: string | undefined;
  context: string | undefined;
}

/** Adds `--kubeconfig` and `--context`. The namespace is always the driver's own. */
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
    });
}

export interface ManagementCluster {
  readonly client: KubernetesClient;
  readonly connection: KubernetesConnection;
  /** For watches. */
  readonly config: KubeConfig;
  readonly namespace: string;
  /** Closes its connections. */
  readonly close: () => void;
}

/** Milliseconds for a call with its repetitions: somebody waits in front of the screen. */
const patience = 10_000;

/**
 * Connects; what client-node needs to read a kubeconfig is loaded only now.
 * @throws Error in one sentence where the kubeconfig is missing or makes no sense
 */
export async function connectManagementCluster(given: ManagementClusterOptions): Promise<ManagementCluster> {
  const [{ connectionOf, loadKubeConfig }, { createKubernetesClient }] = await Promise.all([
    import('../shared/kubernetes/kubeconfig-connection.ts'),
    import('../shared/kubernetes/client.ts'),
  ]);
  const { kubeconfig: path, context } = given;
  const config = readable(path, () => loadKubeConfig({ path, context }));
  if (path === undefined && config.getCurrentCluster()?.server === nowhere) throw new Error(missing);
  const connection = await connectionOf(config);
  const client = createKubernetesClient(connection, { userAgent: 'magnum-capi', deadlineMs: patience });
  return { client, connection, config, namespace, close: () => client.close() };
}

/** What client-node takes where it finds no kubeconfig, as old releases of kubectl did. */
const nowhere = 'http://localhost:8080';
const missing = 'There is no kubeconfig where kubectl looks for one: say --kubeconfig, or set KUBECONFIG.';

function readable<T>(path: string | undefined, load: () => T): T {
  try {
    return load();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const what = path ?? 'that KUBECONFIG names';
    throw isMissing ? new UsageError(`There is no kubeconfig ${what}.`) : error;
  }
}

/** The management cluster of a command that may not need it: it is connected when it is asked for first. */
export interface OpenManagementCluster {
  readonly open: () => Promise<ManagementCluster>;
  readonly close: () => Promise<void>;
}

export function openOnce(given: ManagementClusterOptions): OpenManagementCluster {
  let opened: Promise<ManagementCluster> | undefined;
  return {
    open() {
      opened ??= connectManagementCluster(given);
      return opened;
    },
    async close() {
      const cluster = await opened?.catch(() => undefined);
      cluster?.close();
    },
  };
}
