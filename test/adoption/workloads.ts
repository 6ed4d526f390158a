import * as z from 'zod';
import type { SimulatedCapo } from '../cloud/capo/simulated-capo.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';

const list = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string(), uid: z.string() }) })) });

/** What add-ons consist of in the workload cluster. */
const paths = [
  '/apis/apps/v1/namespaces/kube-system/daemonsets',
  '/apis/apps/v1/namespaces/kube-system/deployments',
  '/apis/storage.k8s.io/v1/storageclasses',
  '/api/v1/namespaces/kube-system/serviceaccounts',
] as const;

interface Stage {
  readonly capo: SimulatedCapo;
}

const running = z.object({
  items: z.array(z.object({ metadata: z.object({ name: z.string(), generation: z.int() }) })),
});

/** What the controllers of a workload cluster, which do not run here, say of one machine with new pods. */
const rolledOut = {
  daemonsets: {
    currentNumberScheduled: 1,
    desiredNumberScheduled: 1,
    numberMisscheduled: 0,
    numberReady: 1,
    updatedNumberScheduled: 1,
  },
  deployments: { replicas: 1, updatedReplicas: 1, readyReplicas: 1 },
  statefulsets: { replicas: 1, updatedReplicas: 1 },
};

/** Lets every workload of the add-ons look as if all its pods were new. */
export async function rollOut(stage: Stage, stackId: string): Promise<void> {
  await askWorkload(stage, stackId, async (api) => {
    for (const [plural, counts] of Object.entries(rolledOut)) {
      const path = `/apis/apps/v1/namespaces/kube-system/${plural}`;
      for (const { metadata } of running.parse(await api.call('GET', path)).items) {
        const status = { observedGeneration: metadata.generation, ...counts };
        await api.call('PATCH', `${path}/${metadata.name}/status`, { status });
      }
    }
  });
}

const secret = z.object({ data: z.record(z.string(), z.string()) });

/** The cloud.conf that the integrations of a workload cluster read. */
export async function workloadCloudConf(stage: Stage, stackId: string): Promise<string> {
  const path = '/api/v1/namespaces/kube-system/secrets/cloud-config';
  const found = await askWorkload(stage, stackId, (api) => api.call('GET', path));
  return Buffer.from(secret.parse(found).data['cloud.conf'] ?? '', 'base64').toString();
}

/** The objects of the add-ons that run in a workload cluster, each with its UID, which tells whether it was made anew. */
export function workloadsOf(stage: Stage, stackId: string): Promise<readonly string[]> {
  return askWorkload(stage, stackId, async (api) => {
    const lists = await Promise.all(paths.map(async (path) => list.parse(await api.call('GET', path))));
    const lines = lists.flatMap(({ items }, index) =>
      items.map(({ metadata }) => `${paths[index]}/${metadata.name} ${metadata.uid}`),
    );
    return lines.toSorted();
  });
}

async function askWorkload<T>({ capo }: Stage, stackId: string, ask: (api: KubernetesApi) => Promise<T>): Promise<T> {
  const workload = capo.workloadCluster(stackId);
  if (workload === undefined) throw new Error(`${stackId} has no workload cluster.`);
  const api = connectApi(workload.access);
  try {
    return await ask(api);
  } finally {
    api.close();
  }
}
