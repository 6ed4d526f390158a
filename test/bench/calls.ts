import { setTimeout as sleep } from 'node:timers/promises';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import type { PostAnswer } from '../../shared/event/post-event.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { callsInAuditLog } from './audit-log.ts';
import { type BenchCluster, clusterMaker } from './bench-cluster.ts';
import { writeObjects } from './bench-objects.ts';
import type { Measurement } from './measurement.ts';
import { openClusters } from './new-cluster.ts';
import { original, pollCalls } from './original.ts';
import { changeOf, eventOf, post } from './post-change.ts';
import { saysComplete } from './says-complete.ts';
import type { WatchStage } from './watch-stage.ts';

/** Clusters of each state, of which each gets one event. */
const clusters = 10;
/** Milliseconds until the events of a cluster are no longer gathered. */
const quiet = 1_500;
/** Milliseconds after which a machine without a server counts as late, so that status looks for what may explain it. */
const late = 125_000;
/** Milliseconds in which nothing changes: two polls of the original. */
const idleTime = 20_000;

/** Measurements of which the last has to wait for clusters to grow old. */
export interface CallMeasurements {
  /** The clusters stay until then. */
  finish(onProgress: (line: string) => void): Promise<Measurement[]>;
}

/** How many calls an event costs, by the state of its cluster, and whether a report says too early that all is done. */
export async function startCalls(stage: WatchStage): Promise<CallMeasurements> {
  const [failing, rolling, complete] = [
    openClusters(clusters, 'failing'),
    openClusters(clusters, 'rolling'),
    openClusters(clusters, 'complete'),
  ];
  await writeObjects(stage.api, [...failing, ...rolling, ...complete].flatMap(await clusterMaker()));
  const since = performance.now();
  const status = (events: readonly CarriedEvent[]) => callsOf(stage, 'status', events);
  const completion = await status(complete.map(change));
  await sleep(quiet);
  const healthy = await status(complete.map(change));
  const waiting = await status(rolling.map(change));
  const foreign = await status(complete.map(foreignChange));
  const health = await callsOf(stage, 'health', complete.map(change));
  const idle = await callsWhileIdle(stage);
  const soFar = {
    completion: completion.calls,
    healthy: healthy.calls,
    waiting: waiting.calls,
    foreign: foreign.calls,
    health: health.calls,
    idle,
    tooEarly: waiting.answers.filter(saysComplete).length,
  };
  return {
    async finish(onProgress) {
      onProgress('waiting until a machine without a server is late');
      await sleep(Math.max(0, late - (performance.now() - since)));
      const wrong = await status(failing.map(change));
      return asMeasurements({ ...soFar, wrong: wrong.calls });
    },
  };
}

/** Kubernetes calls of one event, and what else was counted. */
interface Calls {
  readonly completion: number;
  readonly healthy: number;
  readonly waiting: number;
  readonly foreign: number;
  readonly health: number;
  readonly wrong: number;
  /** Calls of status and health in `idleTime`. */
  readonly idle: number;
  /** Reports of COMPLETE for a cluster whose worker has no server yet. */
  readonly tooEarly: number;
}

function asMeasurements(calls: Calls): Measurement[] {
  const { kubernetesCalls, interval } = original.poll;
  const reference = `the original: ${kubernetesCalls} each ${interval} s, also while nothing changes`;
  const what = 'Kubernetes calls of a status computation';
  const unit = '';
  const polls = pollCalls(idleTime / 1000) * 3 * clusters;
  return [
    { what: `${what}, nothing goes on`, value: calls.healthy, unit, budget: 4, reference },
    { what: `${what}, waiting for a server`, value: calls.waiting, unit, budget: 4, reference },
    { what: `${what}, something is wrong`, value: calls.wrong, unit, budget: 8, reference },
    { what: `${what} that ends an operation`, value: calls.completion, unit, budget: null },
    { what: 'Kubernetes calls of status, object of others', value: calls.foreign, unit, budget: 0 },
    { what: 'Kubernetes calls of a health computation', value: calls.health, unit, budget: 2 },
    {
      what: `Kubernetes calls for ${3 * clusters} clusters while nothing changes, ${idleTime / 1000} s`,
      value: calls.idle,
      unit,
      budget: 0,
      reference: `the original: ${polls}`,
    },
    {
      what: `reports of CREATE_COMPLETE for ${clusters} clusters with a worker still provisioning`,
      value: calls.tooEarly,
      unit,
      budget: 0,
      reference: 'the original: CREATE_COMPLETE',
    },
  ];
}

function change({ stackId: name }: BenchCluster): CarriedEvent {
  return changeOf(resources.cluster, name);
}

/** Of an object that the same source tells of, in a namespace of others. */
function foreignChange({ stackId: name }: BenchCluster): CarriedEvent {
  const { apiVersion, kind } = resources.cluster;
  return eventOf('MODIFIED', { apiVersion, kind, name, namespace: 'others' });
}

interface Answered {
  /** Kubernetes calls of one event. */
  readonly calls: number;
  readonly answers: readonly PostAnswer[];
}

async function callsOf(stage: WatchStage, name: FunctionName, events: readonly CarriedEvent[]): Promise<Answered> {
  const { auditLogPath } = stage.controlPlane;
  const before = await callsInAuditLog(auditLogPath, name);
  const answers = await Promise.all(events.map((event) => post(stage.functions.get(name).url, event)));
  const after = await callsInAuditLog(auditLogPath, name);
  return { calls: (after.work - before.work) / events.length, answers };
}

async function callsWhileIdle({ controlPlane: { auditLogPath } }: WatchStage): Promise<number> {
  const count = async () => {
    const [status, health] = [
      await callsInAuditLog(auditLogPath, 'status'),
      await callsInAuditLog(auditLogPath, 'health'),
    ];
    return status.work + health.work;
  };
  const before = await count();
  await sleep(idleTime);
  return (await count()) - before;
}
