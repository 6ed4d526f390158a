import type { Share } from '../../shared/host/coalescer.ts';
import type { Completion } from '../../shared/status/cluster-progress.ts';
import { carryOnRotation } from './carry-on-rotation.ts';
import { endDeletion } from './end-deletion.ts';
import type { Environment } from './environment.ts';
import { forgetNodegroups } from './forget-nodegroups.ts';
import { keepAutoscaler } from './keep-autoscaler.ts';
import { type Computation, observeStatus } from './observe-status.ts';
import { type Recorded, recordOutcome } from './record-outcome.ts';

/**
 * Observes a cluster and records what is new; the events of the cluster that come at the same time share it.
 * @throws BusyError, DependencyError
 */
export function computeStatus(
  environment: Environment,
  stackId: string,
  recorded: Recorded,
): Promise<Share<Computation>> {
  return environment.computations.join(stackId, {
    signal: environment.signal,
    compute: (signal) => compute({ ...environment, signal }, stackId, recorded),
  });
}

async function compute(environment: Environment, stackId: string, recorded: Recorded): Promise<Computation> {
  const seen = await endDeletion(environment, await observeStatus(environment, stackId));
  const found = await carryOnRotation(environment, seen);
  const outcome = await recordOutcome(environment, found, recorded);
  const completed = found.derived?.completed ?? [];
  if (completed.length > 0) await keepAutoscaler(environment, outcome.observed.cluster);
  await forgetNodegroups(environment, { stackId, names: completed.flatMap(deletedNodegroup) });
  return outcome;
}

function deletedNodegroup({ nodegroup, record }: Completion): readonly string[] {
  return nodegroup !== null && record.type === 'nodegroup.delete' ? [nodegroup] : [];
}
