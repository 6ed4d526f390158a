import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { callsInAuditLog } from './audit-log.ts';
import { nodegroupNames, nodegroupRows } from './example-intent.ts';
import { growthMeasurements, type Sample } from './growth-measurements.ts';
import type { Measurement } from './measurement.ts';

const sizes = [1, 10, 100] as const;
/** Clusters of each size; one before them all warms up the functions. */
const clusters = 5;

/**
 * Time and calls of a create and of an upgrade by the number of nodegroups. Cluster API does not run: its work on a hundred
 * nodegroups takes minutes of the same cores, and none of it is the functions'.
 */
export async function measureNodegroups(stage: FunctionStage, auditLogPath: string): Promise<Measurement[]> {
  const creates: Sample[] = [];
  const upgrades: Sample[] = [];
  const bench = { stage, auditLogPath };
  await live(bench, 1);
  for (const count of sizes) {
    for (let number = 0; number < clusters; number += 1) {
      const { create, upgrade } = await live(bench, count);
      creates.push({ count, ...create });
      upgrades.push({ count, ...upgrade });
    }
  }
  return [
    ...growthMeasurements({ what: 'create', of: 'nodegroups', samples: creates }),
    ...growthMeasurements({ what: 'upgrade', of: 'nodegroups', samples: upgrades }),
  ];
}

interface Bench {
  readonly stage: FunctionStage;
  readonly auditLogPath: string;
}

type Cost = Omit<Sample, 'count'>;

/** Creates a cluster and upgrades it. */
async function live(bench: Bench, nodegroups: number): Promise<{ readonly create: Cost; readonly upgrade: Cost }> {
  const magnum = new MagnumCluster(withNodegroups(await createEvent(bench.stage.cloud), nodegroups));
  const [stackId, create] = await costOf(bench, 'create', magnum.creation);
  magnum.created(stackId);
  const [, upgrade] = await costOf(bench, 'upgrade', magnum.upgrade('v1.33.5'));
  return { create, upgrade };
}

function withNodegroups(event: ExampleEvent, count: number): ExampleEvent {
  return { ...event, data: { ...event.data, nodegroups: nodegroupRows(event.data, nodegroupNames(count)) } };
}

async function costOf(
  { stage, auditLogPath }: Bench,
  name: 'create' | 'upgrade',
  event: ExampleEvent,
): Promise<readonly [stackId: string, Cost]> {
  const before = await callsInAuditLog(auditLogPath, name);
  const startedAt = performance.now();
  const stackId = acceptedStackId(await stage.send(event));
  const duration = performance.now() - startedAt;
  const after = await callsInAuditLog(auditLogPath, name);
  return [stackId, { duration, calls: after.work - before.work }];
}
