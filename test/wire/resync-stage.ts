import { afterAll, beforeAll } from 'vitest';
import type { CreatedCluster } from '../functions/created-cluster.ts';
import { createCluster } from '../functions/created-cluster.ts';
import type { FunctionProcess } from '../functions/function-process.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import { type RecordingSink, startRecordingSink } from '../status/recording-sink.ts';

/** A function that reports all clusters at a ping, and one cluster whose creation never ends. */
export interface ResyncStage {
  readonly port: number;
  readonly cluster: CreatedCluster;
  /** Types of the reports on the cluster since the last time that this was asked. */
  takeReports(): string[];
}

/** For a test file; it is there once the tests run. */
export function resyncStage(stage: () => FunctionStage, name: 'status' | 'health'): () => ResyncStage {
  let sink: RecordingSink | undefined;
  let process: FunctionProcess | undefined;
  let resync: ResyncStage | undefined;
  beforeAll(async () => {
    const recording = await startRecordingSink();
    sink = recording;
    const cluster = await createCluster(stage());
    // Ticks come one after the other here, and none shares the work of the one before.
    const variables = { ...stage().environment, K_SINK: recording.url, HEALTH_WINDOW_MS: '0', STATUS_WINDOW_MS: '0' };
    process = await stage().startAnother({ name, variables });
    resync = {
      port: Number(new URL(process.url).port),
      cluster,
      takeReports: () => {
        const reports = recording.events.splice(0).filter(({ headers }) => headers['ce-subject'] === cluster.uuid);
        return reports.map(({ headers }) => String(headers['ce-type']));
      },
    };
  });
  afterAll(async () => {
    await process?.stop();
    await sink?.stop();
  });
  return () => {
    if (resync === undefined) throw new Error('The stage is there only while tests run.');
    return resync;
  };
}
