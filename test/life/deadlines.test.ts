import { expect, test } from 'vitest';
import type { StatusReport } from '../../shared/status/progress.ts';
import type { FaultRule } from '../cloud/capo/fault-rules.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { statusOf } from '../system/report-log.ts';
import { systemOfFile } from '../system/system-of-file.ts';

const system = systemOfFile();

/** Milliseconds that the real managers get for some machines on a busy machine. */
const patience = 300_000;
const hour = 60 * 60_000;

let magnum: MagnumCluster;
let stackId = '';

/** The event as it was sent some hours ago. */
function hoursAgo(hours: number, event: ExampleEvent): ExampleEvent {
  return { ...event, time: new Date(Date.now() - hours * hour).toISOString() };
}

function reported(what: string, reason: RegExp | null = null): Promise<StatusReport> {
  const matches = (report: StatusReport) =>
    statusOf(report) === what && (reason === null || reason.test(report.status_reason ?? ''));
  return system().reports.status(stackId, { what, matches, timeout: patience });
}

interface Overdue {
  readonly event: ExampleEvent;
  readonly fault: FaultRule;
  /** What is missing at the deadline. */
  readonly reason: RegExp;
  readonly nodegroup: string;
  /** What the nodegroup's row says in the end. */
  readonly end: string;
}

/** Carries out an operation whose deadline has passed while something is in its way, and then takes that away. */
async function expectFailureAndRecovery({ event, fault, reason, nodegroup, end }: Overdue): Promise<void> {
  const heal = system().capo.faults.set(fault);
  await system().operate(event);
  const failed = await reported('UPDATE_FAILED', reason);
  const [action = ''] = end.split('_');
  expect(failed.nodegroups.find(({ name }) => name === nodegroup)).toMatchObject({ action, state: 'FAILED' });
  heal();
  const recovered = await reported('UPDATE_COMPLETE');
  expect(recovered.status_reason).toBeNull();
  const group = recovered.nodegroups.find(({ name }) => name === nodegroup);
  expect(group && statusOf(group)).toBe(end);
}

test('a cluster comes up', async () => {
  const event = await createEvent(system().cloud, { workers: { node_count: 1 }, labels: { kube_tag: 'v1.33.4' } });
  magnum = new MagnumCluster({ ...event, data: { ...event.data, cluster_create_timeout: 0 } });
  stackId = await system().operate(hoursAgo(20, magnum.creation));
  await reported('CREATE_COMPLETE');
  magnum.created(stackId);
});

test('a resize whose machine does not come fails at its deadline, and ends well when it comes', () =>
  expectFailureAndRecovery({
    event: hoursAgo(15, magnum.resize('default-worker', 2)),
    fault: { kind: 'stays-in-build', role: 'worker' },
    reason: /default-worker.*not complete/s,
    nodegroup: 'default-worker',
    end: 'UPDATE_COMPLETE',
  }));

test('so does a nodegroup that does not come', () =>
  expectFailureAndRecovery({
    event: hoursAgo(14, magnum.createNodegroup('late', { node_count: 1 })),
    fault: { kind: 'stays-in-build', role: 'worker' },
    reason: /late/,
    nodegroup: 'late',
    end: 'CREATE_COMPLETE',
  }));

test('and one that does not go', () =>
  expectFailureAndRecovery({
    event: hoursAgo(13, magnum.deleteNodegroup('late')),
    fault: { kind: 'slow-deletion' },
    reason: /late.*still there/s,
    nodegroup: 'late',
    end: 'DELETE_COMPLETE',
  }));

test('an upgrade fails half an hour a machine after it was asked for', () =>
  expectFailureAndRecovery({
    event: hoursAgo(12, magnum.upgrade('v1.34.1')),
    fault: { kind: 'stays-in-build', role: 'control-plane' },
    reason: /v1\.34\.1|control plane|default-master/,
    nodegroup: 'default-master',
    end: 'UPDATE_COMPLETE',
  }));

test('a cluster that does not go fails, and is gone when it can go', async () => {
  const heal = system().capo.faults.set({ kind: 'slow-deletion' });
  await system().operate(hoursAgo(5, magnum.delete()));
  await reported('DELETE_FAILED', /still there/);
  heal();
  await reported('DELETE_COMPLETE');
});
