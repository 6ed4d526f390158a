import { Slots } from '../../shared/host/slots.ts';
import { autoscalerNames } from '../../shared/kubernetes/autoscaler.ts';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { observeResync } from '../../shared/telemetry/observe-resync.ts';
import { computeStatus } from './compute-status.ts';
import { continueDeletion } from './end-deletion.ts';
import type { Environment } from './environment.ts';
import { forgetNodegroups } from './forget-nodegroups.ts';
import { type Inventory, takeInventory } from './inventory.ts';
import { keepAutoscaler } from './keep-autoscaler.ts';
import type { Computation } from './observe-status.ts';
import { isNews, recordOutcome } from './record-outcome.ts';
import { statusReply } from './status-reply.ts';
import { removeUnusedClasses } from './unused-classes.ts';

/**
 * Looks at all clusters again, since sources lose events. What happens to one cluster does not concern the others.
 * @throws DependencyError where it cannot be known which clusters there are
 */
export function resync(environment: Environment): Promise<void> {
  return observeResync(() => lookAtAll(environment));
}

async function lookAtAll(environment: Environment): Promise<Record<Outcome, number>> {
  const { resyncLimits, sink, signal, log } = environment;
  if (sink === null) log.warn({}, 'nobody takes the reports of a resync: K_SINK is not set');
  const inventory = await takeInventory(environment);
  const { stackIds, classNames } = inventory;
  const deployments = await keepHouse(environment, () => autoscalerNames(environment.kubernetes, environment));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(resyncLimits.totalMs)]);
  const slots = new Slots(resyncLimits.concurrency);
  const outcomes = shuffled(stackIds).map((stackId) =>
    slots.run(() => lookAgain({ ...environment, signal: limit, deployments, inventory }, stackId)),
  );
  const counts = count(await Promise.all(outcomes));
  signal.throwIfAborted();
  const level = counts.failed + counts.unreached > 0 ? 'warn' : 'info';
  log[level]({ clusters: stackIds.length, ...counts }, 'all clusters were looked at again');
  await keepHouse(environment, () => removeUnusedClasses(environment, classNames));
  return counts;
}

/** What does not concern the state of a cluster is left to the next resync where it fails. */
async function keepHouse<T>({ signal, log }: Environment, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'a resync could not keep house');
    return undefined;
  }
}

type Outcome = 'reported' | 'known' | 'failed' | 'unreached';

interface ResyncEnvironment extends Environment {
  /** Names of the driver's Deployments; undefined where they are not known. */
  readonly deployments: ReadonlySet<string> | undefined;
  readonly inventory: Inventory;
}

async function lookAgain(environment: ResyncEnvironment, stackId: string): Promise<Outcome> {
  if (environment.signal.aborted) return 'unreached';
  const signal = AbortSignal.any([environment.signal, AbortSignal.timeout(environment.resyncLimits.clusterMs)]);
  const limited = { ...environment, signal };
  try {
    const { result } = await computeStatus(limited, stackId, 'completion');
    const isReported = await reportNews(limited, result);
    await keepAutoscaler(limited, result.observed.cluster);
    await goOn(limited, result);
    return isReported ? 'reported' : 'known';
  } catch (error) {
    environment.log.warn({ err: error, stack_id: stackId }, 'a cluster could not be looked at again');
    return 'failed';
  }
}

/** What others may have left undone, or what failed before. */
async function goOn(environment: ResyncEnvironment, computation: Computation): Promise<void> {
  const { deletions, goneNodegroups } = environment.inventory;
  const { stackId, cluster } = computation.observed;
  const isDeleted = readRecord(cluster?.metadata?.annotations, null)?.type === 'cluster.delete';
  if (isDeleted || deletions.has(stackId)) return continueDeletion(environment, computation);
  await forgetNodegroups(environment, { cluster, names: goneNodegroups.get(stackId) ?? [] });
}

/** The report goes first: what is recorded as reported is not reported again. */
async function reportNews(environment: Environment, computation: Computation): Promise<boolean> {
  const { sink, signal } = environment;
  if (sink === null || computation.derived === null || !isNews(computation)) return false;
  await sink.post(statusReply(computation.derived.report, computation.begun), signal);
  await recordOutcome(environment, computation, 'posted report');
  return true;
}

/** In another order each time, so that what one resync does not reach is not always the same. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

function count(outcomes: readonly Outcome[]): Record<Outcome, number> {
  const counts = { reported: 0, known: 0, failed: 0, unreached: 0 };
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}
