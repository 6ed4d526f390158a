import type { Share } from '../../shared/host/coalescer.ts';
import type { Environment } from './environment.ts';
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
  const found = await observeStatus(environment, stackId);
  const outcome = await recordOutcome(environment, found, recorded);
  const isComplete = found.derived !== null && found.derived.completed.length > 0;
  if (isComplete) await keepAutoscaler(environment, outcome.observed.cluster);
  return outcome;
}
