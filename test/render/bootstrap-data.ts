import { CustomObjectsApi, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import * as z from 'zod';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';

const kubeadmConfigs: ResourceType = {
  apiVersion: resources.kubeadmConfigTemplate.apiVersion,
  kind: 'KubeadmConfig',
  plural: 'kubeadmconfigs',
  namespaced: true,
};
const withDataSecret = z.object({ status: z.object({ dataSecretName: z.string() }) });
const dataSecret = z.object({ data: z.object({ value: z.base64() }) });
const named = z.object({ metadata: z.object({ name: z.string() }) });

interface Access {
  readonly client: KubernetesClient;
  readonly kubeconfigPath: string;
}

/** Says that the cloud's part of a cluster is there, as CAPO would, and waits for the first machine's bootstrap data. */
export async function bootstrapData({ client, kubeconfigPath }: Access, stackId: string): Promise<string> {
  const [infrastructure] = await client.list(resources.openStackCluster, ofCluster(stackId));
  await provisionInfrastructure(kubeconfigPath, named.parse(infrastructure).metadata.name);
  const probe = async () => {
    const [first] = await readBootstrapSecrets(client, stackId);
    if (first === undefined) throw new Error('no KubeadmConfig has its data');
    return first;
  };
  return waitFor(probe, { what: `the bootstrap data of ${stackId}`, timeout: 120_000 });
}

/** The bootstrap data of all machines of a cluster that have theirs. */
export async function readBootstrapSecrets(client: KubernetesClient, stackId: string): Promise<string[]> {
  const configs = await client.list(kubeadmConfigs, ofCluster(stackId));
  const names = configs.flatMap((one) => withDataSecret.safeParse(one).data?.status.dataSecretName ?? []);
  const secrets = await Promise.all(names.map((name) => client.get(resources.secret, { name, namespace })));
  return secrets.map((secret) => Buffer.from(dataSecret.parse(secret).data.value, 'base64').toString());
}

function ofCluster(stackId: string) {
  return { namespace, labelSelector: `cluster.x-k8s.io/cluster-name=${stackId}` };
}

async function provisionInfrastructure(kubeconfigPath: string, name: string): Promise<void> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  const api = config.makeApiClient(CustomObjectsApi);
  const [group = '', version = ''] = resources.openStackCluster.apiVersion.split('/');
  const object = { group, version, namespace, plural: resources.openStackCluster.plural, name };
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  const spec = { controlPlaneEndpoint: { host: '203.0.113.10', port: 6443 } };
  await api.patchNamespacedCustomObject({ ...object, body: { spec } }, merge);
  await api.patchNamespacedCustomObjectStatus({ ...object, body: { status: { ready: true } } }, merge);
}
