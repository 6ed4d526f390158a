import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { selects } from '../../local/broker/event-filter.ts';
import { knativeObjects, type Trigger } from '../../local/manifests/knative-objects.ts';
import { readManifests } from '../../local/manifests/read-manifests.ts';
import { type CarriedEvent, readCarriedEvent } from '../../shared/event/carried-event.ts';
import { openRecord } from '../../shared/kubernetes/operation-record.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { callsInAuditLog } from './audit-log.ts';
import { type BenchCluster, clusterMaker } from './bench-cluster.ts';
import { machine } from './bench-machines.ts';
import { deleteObject, writeObjects } from './bench-objects.ts';
import type { Measurement } from './measurement.ts';
import { original, pollCalls } from './original.ts';
import { post } from './post-change.ts';
import { percentile } from './samples.ts';
import { saysComplete } from './says-complete.ts';
import type { WatchStage } from './watch-stage.ts';

/** Beside the repository: what a real ApiServerSource sent while a cluster was created, upgraded and deleted. */
const neighbour = fileURLToPath(new URL('../../../shared/samples/apiserversource-life.jsonl', import.meta.url));

const line = z.object({ at: z.number(), headers: z.record(z.string(), z.string()), body: z.string() });

interface RecordedEvent {
  /** Milliseconds since the first one. */
  readonly at: number;
  readonly event: CarriedEvent;
}

/** Functions that take the events, each with the Trigger that chooses them. */
const subscribers = ['status', 'health'] as const;
type Subscriber = (typeof subscribers)[number];

/** The file that BENCH_LIFE names, or the one beside the repository. @returns undefined where there is none */
export async function readLife(environment: NodeJS.ProcessEnv = process.env): Promise<RecordedEvent[] | undefined> {
  const given = environment['BENCH_LIFE'];
  const text = await readFile(given || neighbour, 'utf8').catch((error: unknown) => {
    if (given) throw error;
    return undefined;
  });
  return text
    ?.split('\n')
    .filter((each) => each !== '')
    .map((each) => {
      const { at, headers, body } = line.parse(JSON.parse(each));
      const rawHeaders = Object.entries(headers).flat();
      return { at: at * 1000, event: readCarriedEvent({ rawHeaders, body: Buffer.from(body) }) };
    });
}

/**
 * Replays a record in real time. The cluster's control plane is up and its worker waits for a server at every moment; what the
 * record says came or went, comes or goes.
 */
export async function measureLife(stage: WatchStage, life: readonly RecordedEvent[]): Promise<Measurement[]> {
  const cluster = clusterOf(life);
  const objects = (await clusterMaker())(cluster);
  await writeObjects(
    stage.api,
    objects.filter(({ type }) => type.kind !== resources.machine.kind),
  );
  const before = await countCalls(stage);
  const { latencies, tooEarly } = await replay(stage, cluster, life);
  const calls = (await countCalls(stage)) - before;
  const seconds = (life.at(-1)?.at ?? 0) / 1000;
  const { interval } = original.poll;
  return [
    {
      what: `Kubernetes calls of status and health, a life of ${life.length} events in ${Math.round(seconds)} s`,
      value: calls,
      unit: '',
      budget: 400,
      reference: `the original: ${pollCalls(seconds)}, and as many while nothing changes`,
    },
    {
      what: 'the same life, event → status report, p95',
      value: percentile(latencies.status, 0.95),
      unit: 'ms',
      budget: 1_000,
      reference: `the original: up to ${interval} s`,
    },
    {
      what: 'the same life, event → health report, p95',
      value: percentile(latencies.health, 0.95),
      unit: 'ms',
      budget: null,
    },
    {
      what: 'the same life, reports of UPDATE_COMPLETE while its upgrade is under way',
      value: tooEarly,
      unit: '',
      budget: 0,
      reference: `the original: ${original.upgrade.reported} s after the start of one that took ${original.upgrade.complete} s`,
    },
  ];
}

/** The cluster of the record, in the middle of an upgrade. */
function clusterOf(life: readonly RecordedEvent[]): BenchCluster {
  const found = life.find(({ event }) => event.attributes['kind'] === resources.cluster.kind);
  const operation = openRecord({ id: randomUUID(), time: new Date().toISOString() }, 'cluster.upgrade', 60);
  return { stackId: found?.event.attributes['name'] ?? '', uuid: randomUUID(), operation, state: 'rolling' };
}

interface Replayed {
  /** Milliseconds by function. */
  readonly latencies: Readonly<Record<Subscriber, number[]>>;
  /** Reports that say that the cluster is complete. */
  readonly tooEarly: number;
}

async function replay(stage: WatchStage, cluster: BenchCluster, life: readonly RecordedEvent[]): Promise<Replayed> {
  const { triggers } = knativeObjects(await readManifests());
  const latencies: Record<Subscriber, number[]> = { status: [], health: [] };
  let tooEarly = 0;
  const deliver = async (name: Subscriber, event: CarriedEvent) => {
    if (!triggers.some((trigger) => isOf(trigger, name) && selects(trigger, event))) return;
    const sentAt = performance.now();
    const answer = await post(stage.functions.get(name).url, event);
    if (name === 'status' && saysComplete(answer)) tooEarly += 1;
    latencies[name].push(performance.now() - sentAt);
  };
  const startedAt = performance.now();
  const deliveries: Promise<void>[] = [];
  for (const { at, event } of life) {
    await sleep(Math.max(0, startedAt + at - performance.now()));
    await follow(stage, cluster, event);
    deliveries.push(...subscribers.map((name) => deliver(name, event)));
  }
  await Promise.all(deliveries);
  return { latencies, tooEarly };
}

function isOf({ spec: { subscriber } }: Trigger, name: Subscriber): boolean {
  return 'ref' in subscriber && subscriber.ref.name === `magnum-${name}`;
}

/** Lets an object of the record come or go before its event says so. */
async function follow({ api }: WatchStage, cluster: BenchCluster, { attributes }: CarriedEvent): Promise<void> {
  const { type = '', name = '' } = attributes;
  if (type.endsWith('.delete')) await deleteObject(api, { type: typeOf(attributes), name });
  if (!type.endsWith('.add')) return;
  const role = name.startsWith(`${cluster.stackId}-default-worker`) ? 'worker' : 'master';
  await writeObjects(api, [{ type: typeOf(attributes), object: machine(cluster, { name, role }) }]);
}

function typeOf({ apiversion, kind }: CarriedEvent['attributes']): ResourceType {
  const types: readonly ResourceType[] = Object.values<ResourceType>(resources);
  const found = types.find((type) => type.apiVersion === apiversion && type.kind === kind);
  if (found === undefined) throw new Error(`The record has a ${kind} of ${apiversion}, which no function reads.`);
  return found;
}

async function countCalls({ controlPlane: { auditLogPath } }: WatchStage): Promise<number> {
  const counts = await Promise.all(subscribers.map((name) => callsInAuditLog(auditLogPath, name)));
  return counts.reduce((sum, { work }) => sum + work, 0);
}
