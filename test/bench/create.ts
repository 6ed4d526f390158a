import { setTimeout as sleep } from 'node:timers/promises';
import { createEvent } from '../functions/create-event.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { waitForTopology } from '../functions/topology.ts';
import { callsInAuditLog } from './audit-log.ts';
import type { Measurement } from './measurement.ts';
import { original } from './original.ts';
import { median, medianOf, percentile } from './samples.ts';

const creates = 15;
/** Our share of the original's fastest create (design §10). */
const share = 1 / 8;
/** Milliseconds for Cluster API's work after the topology is reconciled. */
const settleTime = 2_000;

/** Creates one cluster after the other; the first, which also writes the ClusterClass, does not count. */
export async function measureCreate(stage: FunctionStage, auditLogPath: string): Promise<Measurement[]> {
  await timeOfCreate(stage);
  const before = await callsInAuditLog(auditLogPath, 'create');
  stage.cloud.requests.length = 0;
  const durations: number[] = [];
  for (let count = 0; count < creates; count += 1) durations.push(await timeOfCreate(stage));
  const after = await callsInAuditLog(auditLogPath, 'create');
  const { fastest, slowest } = original.create;
  const reference = `the original: ${fastest}–${slowest} s`;
  const budget = fastest * 1000 * share;
  return [
    { what: 'create, class present, median', ...medianOf(durations), unit: 'ms', budget, reference },
    { what: 'create, class present, p95', value: percentile(durations, 0.95), unit: 'ms', budget: null },
    { what: 'the original / create', value: (fastest * 1000) / median(durations), unit: '×', budget: null },
    { what: 'Kubernetes calls of a create', value: (after.work - before.work) / creates, unit: '', budget: 20 },
    {
      what: 'Kubernetes calls of authorisation',
      value: (after.reviews - before.reviews) / creates,
      unit: '',
      budget: 2,
    },
    { what: 'OpenStack calls of a create', value: stage.cloud.requests.length / creates, unit: '', budget: null },
  ];
}

async function timeOfCreate(stage: FunctionStage): Promise<number> {
  const event = await createEvent(stage.cloud);
  const startedAt = performance.now();
  const stackId = acceptedStackId(await stage.send(event));
  const duration = performance.now() - startedAt;
  // Cluster API works for seconds on each new Cluster, on the same cores: the next create waits for it.
  await waitForTopology(stage.api, stackId);
  await sleep(settleTime);
  return duration;
}
