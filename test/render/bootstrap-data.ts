import { CustomObjectsApi, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import * as z from 'zod';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace } from '../../shared/render/metadata.ts';
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
  const ofCluster = { namespace: managementNamespace, labelSelector: `cluster.x-k8s.io/cluster-name=${stackId}` };
  const [infrastructure] = await client.list(resources.openStackCluster, ofCluster);
  await provisionInfrastructure(kubeconfigPath, named.parse(infrastructure).metadata.name);
  const name = await waitFor(
    async () => {
      const configs = await client.list(kubeadmConfigs, ofCluster);
      const [first] = configs.flatMap((one) => withDataSecret.safeParse(one).data ?? []);
      if (first === undefined) throw new Error(`no KubeadmConfig of ${configs.length} has its data`);
      return first.status.dataSecretName;
    },
    { what: `the bootstrap data of ${stackId}`, timeout: 120_000 },
  );
  const secret = await client.get(resources.secret, { name, namespace: managementNamespace });
  return Buffer.from(dataSecret.parse(secret).data.value, 'base64').toString();
}

async function provisionInfrastructure(kubeconfigPath: string, name: string): Promise<void> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  const api = config.makeApiClient(CustomObjectsApi);
  const [group = '', version = ''] = resources.openStackCluster.apiVersion.split('/');
  const object = { group, version, namespace: managementNamespace, plural: resources.openStackCluster.plural, name };
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  const spec = { controlPlaneEndpoint: { host: '203.0.113.10', port: 6443 } };
  await api.patchNamespacedCustomObject({ ...object, body: { spec } }, merge);
  await api.patchNamespacedCustomObjectStatus({ ...object, body: { status: { ready: true } } }, merge);
}
