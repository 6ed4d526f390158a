import { resources } from '../../shared/kubernetes/resources.ts';
import { freePorts } from '../env/free-ports.ts';
import type { FunctionProcess } from '../functions/function-process.ts';
import { type BenchCluster, clusterMaker } from './bench-cluster.ts';
import { deleteObjects, writeObjects } from './bench-objects.ts';
import { EventLoad } from './event-load.ts';
import { slope } from './growth.ts';
import { collectGarbage } from './inspected-heap.ts';
import { startLimitedStatus } from './limited-status.ts';
import type { Measurement, Section } from './measurement.ts';
import { completedClusters } from './new-cluster.ts';
import { changeOf } from './post-change.ts';
import { processUsage } from './process-usage.ts';
import type { WatchStage } from './watch-stage.ts';

const clusters = 300;
/** Clusters that get a burst at once, and its events. */
const senders = 200;
const burst = 10;
/** Events in all after which the memory is looked at. */
const milestones = [1_000, ...Array.from({ length: 10 }, (_, index) => (index + 1) * 10_000)];
/** Those of them that are shown. */
const shown: readonly number[] = [1_000, 10_000, 50_000, 100_000];
/** Memory after all events in proportion to that after the first 10,000, when everything has been used once. */
const budget = 1.1;

/** MB after garbage was collected. */
interface Memory {
  readonly events: number;
  readonly heap: number;
  readonly resident: number;
}

/** What 100,000 events leave in the memory of a status function. */
export async function measureMemory(stage: WatchStage, onProgress: (line: string) => void): Promise<Section> {
  const all = completedClusters(clusters);
  await writeObjects(stage.api, all.flatMap(await clusterMaker()));
  const [inspector = 0] = await freePorts(1);
  const status = await startLimitedStatus(stage, {
    nodeArguments: [`--inspect=127.0.0.1:${inspector}`, '--inspect-publish-uid=http'],
  });
  const load = new EventLoad(status.process.url);
  try {
    const measured: Memory[] = [];
    const send = sender(load, all);
    for (const events of milestones) {
      await send(events - (measured.at(-1)?.events ?? 0));
      measured.push({ events, ...(await memoryOf(status.process, inspector)) });
      onProgress(`${events} events: ${measured.at(-1)?.resident.toFixed(0)} MB resident`);
    }
    return { measurements: asMeasurements(measured), notes: [status.note, note] };
  } finally {
    load.close();
    await status.stop();
    await deleteObjects(stage.api);
  }
}

const note = `Events of ${clusters} clusters in bursts of ${burst}, ${senders * burst} under way at once, over HTTP connections that stay open; each value after a full garbage collection.`;

/** Sends a number of events, and waits until all are answered. */
function sender(load: EventLoad, all: readonly BenchCluster[]): (events: number) => Promise<void> {
  const waiting = [...all];
  return async (events) => {
    let bursts = events / burst;
    const run = async () => {
      for (; bursts > 0; ) {
        bursts -= 1;
        const cluster = waiting.shift();
        if (cluster === undefined) throw new Error('There are more senders than clusters.');
        const event = () => changeOf(resources.cluster, cluster.stackId);
        await Promise.all(Array.from({ length: burst }, () => load.send(event())));
        waiting.push(cluster);
      }
    };
    await Promise.all(Array.from({ length: senders }, run));
  };
}

async function memoryOf({ pid }: FunctionProcess, inspector: number): Promise<Omit<Memory, 'events'>> {
  const heap = await collectGarbage(inspector);
  const { resident } = await processUsage(pid);
  return { heap, resident };
}

function asMeasurements(measured: readonly Memory[]): Measurement[] {
  return [...of('resident', 'resident memory'), ...of('heap', 'heap')];

  function of(kind: 'resident' | 'heap', name: string): Measurement[] {
    const at = (events: number) => measured.find((one) => one.events === events)?.[kind] ?? Number.NaN;
    const points = measured.slice(1).map((one) => ({ at: one.events / 10_000, value: one[kind] }));
    const unit = 'MB';
    return [
      ...shown.map((events) => ({ what: `${name} after ${events} events`, value: at(events), unit, budget: null })),
      { what: `${name}, after 100000 / after 10000 events`, value: at(100_000) / at(10_000), unit: '×', budget },
      { what: `${name}, growth in 10000 events, best line from 10000 on`, value: slope(points), unit, budget: null },
    ];
  }
}
