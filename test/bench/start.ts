import type { Bundle } from '../../scripts/build.ts';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { freePorts } from '../env/free-ports.ts';
import { createEvent } from '../functions/create-event.ts';
import type { FunctionProcess, FunctionProcessOptions } from '../functions/function-process.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId, sendEvent } from '../functions/send-event.ts';
import type { Measurement } from './measurement.ts';
import { changeOf, post } from './post-change.ts';
import { startOfEmptyServer, untilListening } from './process-start.ts';
import { processUsage } from './process-usage.ts';
import { median, medianOf } from './samples.ts';

/** Odd, so that the median is a measured value. */
const rounds = 15;

interface FunctionStart {
  readonly listening: number;
  readonly ready: number;
}

async function startOfFunction(stage: FunctionStage, options: Partial<FunctionProcessOptions>): Promise<FunctionStart> {
  const [port = 0] = await freePorts(1);
  const startedAt = performance.now();
  const starting = stage.startAnother({ ...options, port });
  const listening = await untilListening(port, startedAt);
  const started = await starting;
  await started.stop('SIGKILL');
  return { listening, ready: started.readyInMs };
}

/** What a function runs with: its bundle and its ServiceAccount. */
function processOf({ access }: FunctionStage, { name, path }: Bundle): Partial<FunctionProcessOptions> {
  return { bundle: path, token: access.tokens[name] ?? '' };
}

/** Process start → listening, in turn with an empty server so that all meet the same load. */
export async function measureStart(stage: FunctionStage, bundles: readonly Bundle[]): Promise<Measurement[]> {
  const empty: number[] = [];
  const own = new Map<Bundle, FunctionStart[]>(bundles.map((bundle) => [bundle, []]));
  for (const port of await freePorts(rounds)) {
    empty.push(await startOfEmptyServer(port));
    for (const [bundle, starts] of own) starts.push(await startOfFunction(stage, processOf(stage, bundle)));
  }
  const floor = median(empty);
  return [
    { what: 'start → listening, empty node:http server', ...medianOf(empty), unit: 'ms', budget: null },
    ...[...own].flatMap(([{ name }, starts]) => startMeasurements(name, starts, floor)),
  ];
}

function startMeasurements(name: string, starts: readonly FunctionStart[], floor: number): Measurement[] {
  const listening = medianOf(starts.map((one) => one.listening));
  const ready = medianOf(starts.map((one) => one.ready));
  return [
    { what: `start → listening, ${name}`, ...listening, unit: 'ms', budget: null },
    { what: `start → listening, ${name} / empty server`, value: listening.value / floor, unit: '×', budget: 2 },
    { what: `start → ready for events, ${name}`, ...ready, unit: 'ms', budget: null },
    { what: `start → ready for events, ${name} / empty server`, value: ready.value / floor, unit: '×', budget: null },
  ];
}

type FirstEvents = Readonly<Record<FunctionName, (started: FunctionProcess) => Promise<unknown>>>;

/** An event for each function; the functions get them in any order. */
async function firstEvents(stage: FunctionStage): Promise<FirstEvents> {
  const [event, other] = [await createEvent(stage.cloud), await createEvent(stage.cloud)];
  const [stackId] = [acceptedStackId(await stage.send(event)), acceptedStackId(await stage.send(other))];
  const magnum = new MagnumCluster(event);
  const request = (sent: object) => async (started: FunctionProcess) =>
    acceptedStackId(await sendEvent(started.url, sent, stage.access.callerToken));
  const change = ({ url }: FunctionProcess) => post(url, changeOf(resources.cluster, stackId));
  return {
    create: request(event),
    resize: request(magnum.resize('default-worker', 3)),
    // To what it is: Cluster API allows no other version while the cluster comes up.
    upgrade: request(magnum.upgrade('v1.33.4')),
    delete: request(new MagnumCluster(other).delete()),
    status: change,
    health: change,
  };
}

/**
 * Process start → first event answered, the time that somebody waits for a cold function, and what is resident then; Kubernetes
 * and OpenStack are warm.
 */
export async function measureFirstEvents(stage: FunctionStage, bundles: readonly Bundle[]): Promise<Measurement[]> {
  const first = await firstEvents(stage);
  const measurements: Measurement[] = [];
  for (const bundle of bundles) {
    const { name } = bundle;
    const answer = first[name];
    const startedAt = performance.now();
    const started = await stage.startAnother(processOf(stage, bundle));
    await answer(started);
    const duration = performance.now() - startedAt;
    const { resident } = await processUsage(started.pid);
    await started.stop('SIGKILL');
    measurements.push(
      { what: `start → first event answered, ${name}`, value: duration, unit: 'ms', budget: null },
      { what: `resident memory after the first event, ${name}`, value: resident, unit: 'MB', budget: 100 },
    );
  }
  return measurements;
}
