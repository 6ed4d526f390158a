import * as z from 'zod';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';
import type { FunctionStage } from '../functions/function-stage.ts';

const groups = z.object({
  groups: z.array(z.object({ preferredVersion: z.object({ groupVersion: z.string() }) })),
});
const served = z.object({
  groupVersion: z.string(),
  resources: z.array(z.object({ name: z.string(), namespaced: z.boolean(), verbs: z.array(z.string()) })),
});
const list = z.object({
  items: z.array(
    z.object({ metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }) }),
  ),
});

export interface DeletedCluster {
  readonly uuid: string;
  readonly stackId: string;
}

/** Everything that has the cluster's stack id or UUID in its name or labels, but Events, which go by time. */
export async function tracesOf({ api, cloud }: FunctionStage, cluster: DeletedCluster): Promise<readonly string[]> {
  const names = [cluster.uuid, cluster.stackId].filter((name) => name !== '');
  const isOf = (text: string) => names.some((name) => text.includes(name));
  const objects = await namespacedObjects(api);
  const { applicationCredentials, serverGroups, loadBalancers, floatingIps } = cloud.state;
  return [
    ...objects.filter(isOf),
    ...applicationCredentials.map(({ name }) => `credential ${name}`).filter(isOf),
    ...serverGroups.map(({ name }) => `server group ${name}`).filter(isOf),
    ...loadBalancers.map(({ name, description = '' }) => `load balancer ${name} ${description}`).filter(isOf),
    ...floatingIps.map(({ description }) => `floating IP ${description}`).filter(isOf),
  ];
}

async function namespacedObjects(api: KubernetesApi): Promise<string[]> {
  const { groups: found } = groups.parse(await api.call('GET', '/apis'));
  const paths = ['/api/v1', ...found.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const kinds = await Promise.all(paths.map((path) => kindsOf(api, path)));
  const listed = await Promise.all(
    kinds.flat().map(async ({ path, name }) => {
      const { items } = list.parse(await api.call('GET', path));
      return items.map(({ metadata }) => `${name} ${metadata.name} ${JSON.stringify(metadata.labels)}`);
    }),
  );
  return listed.flat();
}

async function kindsOf(api: KubernetesApi, path: string): Promise<{ readonly path: string; readonly name: string }[]> {
  const { resources } = served.parse(await api.call('GET', path));
  return resources
    .filter(({ name, namespaced, verbs }) => namespaced && verbs.includes('list') && name !== 'events')
    .map(({ name }) => ({ path: `${path}/namespaces/${namespace}/${name}`, name }));
}
