import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';
import { simulateControlPlane } from './simulated-control-plane.ts';

const cluster = z.looseObject({
  metadata: z.looseObject({ generation: z.int() }),
  status: z
    .looseObject({
      conditions: z
        .array(
          z.object({
            type: z.string(),
            status: z.string(),
            message: z.string().default(''),
            observedGeneration: z.int().default(0),
          }),
        )
        .default([]),
    })
    .optional(),
});

/** Milliseconds; reconciling takes a second of two cores, so that of many clusters takes a while. */
const patience = 240_000;

/**
 * Waits until Cluster API has reconciled the topology of a Cluster as it is now. On a busy machine its controller may fail
 * between creating the control plane and the machine deployments, and puts these off until the control plane is up: then
 * that is simulated.
 * @throws Error that tells the last state of the condition where it does not become true in time
 */
export async function waitForTopology(api: KubernetesApi, stackId: string): Promise<void> {
  let isSimulated = false;
  const probe = async () => {
    const problem = await topologyProblem(api, stackId);
    if (problem === null) return;
    if (!isSimulated && problem.includes('creation deferred')) {
      isSimulated = true;
      await simulateControlPlane(api, stackId);
    }
    throw new Error(problem);
  };
  await waitFor(probe, { what: `TopologyReconciled of ${stackId}`, timeout: patience });
}

async function topologyProblem(api: KubernetesApi, stackId: string): Promise<string | null> {
  const { apiVersion, plural } = resources.cluster;
  const path = `/apis/${apiVersion}/namespaces/${namespace}/${plural}/${stackId}`;
  const { metadata, status } = cluster.parse(await api.call('GET', path));
  const found = status?.conditions.find(({ type }) => type === 'TopologyReconciled');
  if (found === undefined) return 'there is no condition yet';
  if (found.observedGeneration < metadata.generation) return 'the condition is older than the Cluster';
  return found.status === 'True' ? null : `it is ${found.status}: ${found.message}`;
}
