import * as z from 'zod';
import { connectApi } from '../env/kubernetes-api.ts';
import type { MagnumStage } from './magnum-stage.ts';

const listed = z.object({
  items: z.array(z.object({ metadata: z.object({ name: z.string(), generation: z.int().default(0) }) })),
});

/** All pods are new, as the controllers report it. */
const rolledOut = {
  deployments: { replicas: 1, updatedReplicas: 1 },
  statefulsets: { replicas: 1, updatedReplicas: 1 },
  daemonsets: {
    currentNumberScheduled: 1,
    desiredNumberScheduled: 1,
    numberMisscheduled: 0,
    numberReady: 1,
    updatedNumberScheduled: 1,
  },
} as const;

/** Reports what the controllers of a workload cluster would, which do not run on simulated machines: the add-ons are rolled out. */
export async function rollOutAddons({ system }: Pick<MagnumStage, 'system'>, stackId: string): Promise<void> {
  const access = system.capo.workloadCluster(stackId)?.access;
  if (access === undefined) throw new Error(`${stackId} has no API.`);
  const workload = connectApi(access);
  try {
    for (const [kind, counts] of Object.entries(rolledOut)) {
      const collection = `/apis/apps/v1/namespaces/kube-system/${kind}`;
      for (const { metadata } of listed.parse(await workload.call('GET', collection)).items) {
        const status = { observedGeneration: metadata.generation, ...counts };
        await workload.call('PATCH', `${collection}/${metadata.name}/status`, { status });
      }
    }
  } finally {
    workload.close();
  }
}
