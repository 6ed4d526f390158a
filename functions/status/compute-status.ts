import type { Share } from '../../shared/host/coalescer.ts';
import { readOperations } from '../../shared/status/operations.ts';
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
  const { cluster } = outcome.observed;
  const completed = found.derived?.completed ?? [];
  if (completed.length > 0) await keepAutoscaler(environment, cluster);
  await forgetNodegroups(environment, { cluster, names: nodegroupsDeletedSince(found, outcome) });
  return outcome;
}

/** The Cluster may have been looked at again before anything was recorded, and more was complete by then. */
function nodegroupsDeletedSince(found: Computation, outcome: Computation): readonly string[] {
  const before = endedDeletions(found);
  return endedDeletions(outcome).filter((name) => !before.includes(name));
}

function endedDeletions({ observed }: Computation): readonly string[] {
  const { nodegroups } = readOperations(observed.cluster?.metadata?.annotations ?? {});
  const ended = [...nodegroups].filter(([, { type, completed }]) => type === 'nodegroup.delete' && completed !== null);
  return ended.map(([name]) => name);
}
