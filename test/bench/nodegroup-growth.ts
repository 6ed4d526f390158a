import { setTimeout as sleep } from 'node:timers/promises';
import { objectPath } from '../../shared/kubernetes/object-path.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { simulateControlPlane } from '../functions/simulated-control-plane.ts';
import { waitForTopology } from '../functions/topology.ts';
import { callsInAuditLog } from './audit-log.ts';
import { nodegroupNames, nodegroupRows } from './example-intent.ts';
import { growthMeasurements, type Sample } from './growth-measurements.ts';
import type { Measurement } from './measurement.ts';

/** Clusters of each number of nodegroups; one before them all warms up the functions. */
const sizes = [
  { nodegroups: 1, clusters: 3 },
  { nodegroups: 10, clusters: 3 },
  { nodegroups: 100, clusters: 2 },
] as const;
/** Milliseconds for Cluster API's work after the topology is reconciled. */
const settleTime = 2_000;

/** Time and calls of a create and of an upgrade by the number of nodegroups, on the real Cluster API. */
export async function measureNodegroups(
  stage: FunctionStage,
  auditLogPath: string,
  onProgress: (line: string) => void,
): Promise<Measurement[]> {
  const creates: Sample[] = [];
  const upgrades: Sample[] = [];
  const bench = { stage, auditLogPath };
  await live(bench, 1);
  for (const { nodegroups, clusters } of sizes) {
    onProgress(`clusters of ${nodegroups} nodegroups`);
    for (let number = 0; number < clusters; number += 1) {
      const { create, upgrade } = await live(bench, nodegroups);
      creates.push({ count: nodegroups, ...create });
      upgrades.push({ count: nodegroups, ...upgrade });
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

/** Creates and upgrades a cluster, and then lets Cluster API forget it. */
async function live(bench: Bench, nodegroups: number): Promise<{ readonly create: Cost; readonly upgrade: Cost }> {
  const { api, cloud } = bench.stage;
  const magnum = new MagnumCluster(withNodegroups(await createEvent(cloud), nodegroups));
  const [stackId, create] = await costOf(bench, 'create', magnum.creation);
  magnum.created(stackId);
  await waitForTopology(api, stackId);
  await simulateControlPlane(api, stackId);
  await waitForTopology(api, stackId);
  await sleep(settleTime);
  const [, upgrade] = await costOf(bench, 'upgrade', magnum.upgrade('v1.33.5'));
  await api.call('PATCH', objectPath(resources.cluster, { name: stackId, namespace }), { spec: { paused: true } });
  await sleep(settleTime);
  return { create, upgrade };
}

/** Without nodes: these are Cluster API's work, and none of the functions'. */
function withNodegroups(event: ExampleEvent, count: number): ExampleEvent {
  const rows = nodegroupRows(event.data, nodegroupNames(count));
  const nodegroups = rows.map((row) => (row['role'] === 'worker' ? { ...row, node_count: 0, min_node_count: 0 } : row));
  return { ...event, data: { ...event.data, nodegroups } };
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
