import type { FunctionName } from '../../shared/contract/event-types.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { functionOf } from '../functions/function-of.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import type { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { runningCluster } from '../upgrade/running-cluster.ts';
import { callsInAuditLog } from './audit-log.ts';
import type { Measurement } from './measurement.ts';
import { medianOf } from './samples.ts';

/** Of each operation. */
const rounds = 8;
/** Milliseconds that an operation may take with an OpenStack that answers at once. */
const budget = 1_000;

/** What a cluster is asked for in its life, in an order in which each operation is possible. */
const operations: readonly (readonly [
  what: string,
  event: (magnum: MagnumCluster, stage: FunctionStage) => ExampleEvent,
])[] = [
  // Before anything else keeps Cluster API busy.
  ['upgrade', (magnum) => magnum.upgrade('v1.33.5')],
  ['resize', (magnum) => magnum.resize('default-worker', 3)],
  ['nodegroup create', (magnum) => magnum.createNodegroup('extra', { node_count: 1 })],
  ['nodegroup update', (magnum) => magnum.updateNodegroup('extra', { node_labels: { 'example.org/pool': 'a' } })],
  ['nodegroup delete', (magnum) => magnum.deleteNodegroup('extra')],
  ['credential rotation', (magnum, stage) => magnum.rotateCredential(askingUser(stage))],
  ['delete', (magnum) => magnum.delete()],
];

/** Latency and calls of every operation but the create, each once on each of some clusters. */
export async function measureOperations(stage: FunctionStage, auditLogPath: string): Promise<Measurement[]> {
  const clusters = [];
  for (let count = 0; count <= rounds; count += 1) clusters.push((await runningCluster(stage)).magnum);
  const measurements: Measurement[] = [];
  for (const [what, event] of operations) {
    const [first, ...others] = clusters.map((magnum) => event(magnum, stage));
    // It warms up the function; the others count.
    if (first !== undefined) await timeOf(stage, first);
    measurements.push(...(await measure(stage, { what, events: others, auditLogPath })));
  }
  return measurements;
}

interface Operation {
  readonly what: string;
  readonly events: readonly ExampleEvent[];
  readonly auditLogPath: string;
}

async function measure(stage: FunctionStage, { what, events, auditLogPath }: Operation): Promise<Measurement[]> {
  const name: FunctionName = functionOf(events[0] ?? { type: '' });
  const before = await callsInAuditLog(auditLogPath, name);
  stage.cloud.requests.length = 0;
  const durations: number[] = [];
  for (const event of events) durations.push(await timeOf(stage, event));
  const after = await callsInAuditLog(auditLogPath, name);
  const kubernetes = (after.work - before.work) / events.length;
  return [
    { what: `${what}, median`, ...medianOf(durations), unit: 'ms', budget },
    { what: `Kubernetes calls of ${what}`, value: kubernetes, unit: '', budget: null },
    { what: `OpenStack calls of ${what}`, value: stage.cloud.requests.length / events.length, unit: '', budget: null },
  ];
}

async function timeOf(stage: FunctionStage, event: ExampleEvent): Promise<number> {
  const startedAt = performance.now();
  acceptedStackId(await stage.send(event));
  return performance.now() - startedAt;
}

function askingUser({ cloud }: FunctionStage): { readonly token: string; readonly userId: string } {
  const userId = cloud.state.users.find(({ name }) => name === 'demo')?.id ?? '';
  return { token: cloud.issueToken({ user: 'demo', project: 'demo' }), userId };
}
