import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type LiveCluster, parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { ClusterChanges } from '../functions/create-event.ts';
import { createCluster } from '../functions/created-cluster.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import type { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId, type EventAnswer } from '../functions/send-event.ts';
import { simulateControlPlane } from '../functions/simulated-control-plane.ts';
import { waitForTopology } from '../functions/topology.ts';

/** A cluster that Cluster API takes for complete, so that its version may be changed. */
export interface RunningCluster {
  readonly name: string;
  /** Magnum's side of it. */
  readonly magnum: MagnumCluster;
  /** The Cluster as it is now. */
  read(): Promise<LiveCluster>;
}

export async function runningCluster(stage: FunctionStage, changes: ClusterChanges = {}): Promise<RunningCluster> {
  const { magnum, stackId: name } = await createCluster(stage, changes);
  await waitForTopology(stage.api, name);
  await simulateControlPlane(stage.api, name);
  const read = async () => parseLiveCluster(await stage.kubernetes.get(resources.cluster, { namespace, name }));
  return { name, magnum, read };
}

/** The code and message of a rejection. */
export interface Rejection {
  readonly code: string;
  readonly message: string;
}

/**
 * Sends an event that is to be rejected, and checks that its Cluster is the very same afterwards: its controllers may write
 * it in the meantime, then it is sent again.
 */
export async function rejected(stage: FunctionStage, cluster: RunningCluster, event: EventOf): Promise<Rejection> {
  for (let attempt = 1; ; attempt += 1) {
    const before = (await cluster.read()).metadata.resourceVersion;
    const answer = await stage.send(event);
    const after = (await cluster.read()).metadata.resourceVersion;
    expect(answer).toMatchObject({ status: 200, type: 'org.openstack.magnum.operation.rejected.v1' });
    if (before === after) return answer.data as Rejection;
    if (attempt === 5) expect(after).toBe(before);
    await sleep(500);
  }
}

type EventOf = ReturnType<MagnumCluster['upgrade']>;

/** The notes of an accepted operation. */
export function notesOf(answer: EventAnswer): readonly string[] {
  acceptedStackId(answer);
  return (answer.data as { readonly notes: readonly string[] }).notes;
}

/** Values of the topology's variables by their names. */
export function variablesOf({ spec }: LiveCluster): Readonly<Record<string, unknown>> {
  return Object.fromEntries(spec.topology.variables.map(({ name, value }) => [name, value]));
}

/** Values of a nodegroup's overrides by their names. */
export function overridesOf({ spec }: LiveCluster, nodegroup: string): Readonly<Record<string, unknown>> {
  const entry = spec.topology.workers?.machineDeployments?.find(({ name }) => name === nodegroup);
  return Object.fromEntries((entry?.variables?.overrides ?? []).map(({ name, value }) => [name, value]));
}
