import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { createEvent } from '../functions/create-event.ts';
import { type ObjectHistory, recordObjectHistory } from '../system/object-history.ts';
import { applyOperation } from '../system/recorded-operation.ts';
import { type HealthReport, statusOf } from '../system/report-log.ts';
import type { SystemStage } from '../system/system-stage.ts';
import { liveStatus, waitForLive } from './live-status.ts';
import { systemWithoutTicks } from './system-without-ticks.ts';

/** Milliseconds for the managers to bring up or replace machines on a busy machine. */
const patience = 480_000;
/** Milliseconds for what has to be told without any further change of the objects. */
const soon = 120_000;

async function scaleWorkers({ kubernetes }: SystemStage, stackId: string, count: number): Promise<void> {
  await applyOperation(kubernetes, stackId, {
    type: 'cluster.resize',
    changes: [{ op: 'replace', path: '/spec/topology/workers/machineDeployments/0/replicas', value: count }],
  });
}

function told(stage: SystemStage, stackId: string, what: string, timeout = soon): Promise<StatusReport> {
  return stage.reports.status(stackId, { what, matches: (report) => statusOf(report) === what, timeout });
}

function lastTold({ reports }: SystemStage, stackId: string): string {
  const last = reports.statuses(stackId).at(-1);
  return last === undefined ? '' : statusOf(last);
}

/** Given up within two seconds. */
const shortDelivery = { retry: 3, backoffPolicy: 'linear', backoffDelay: 'PT0.25S', timeout: 'PT2M' };

function isHealthy({ health_status }: HealthReport): boolean {
  return health_status === 'HEALTHY';
}

/** What happens during the work is never told. */
async function withoutSource({ local }: SystemStage, work: () => Promise<void>): Promise<void> {
  local.source.pause();
  try {
    await work();
    // What was on its way is told still.
    await local.broker.idle();
  } finally {
    await local.source.resume();
  }
}

function say(text: string): void {
  process.stdout.write(`lost events: ${text}\n`);
}

describe('a system that loses what it can lose', () => {
  let arrived = Promise.withResolvers<void>();
  const onEvent = ({ attributes: { type = '' } }: CarriedEvent) => {
    if (type.startsWith('dev.knative.apiserver.')) arrived.resolve();
  };
  const system = systemWithoutTicks({ onEvent });
  let stackId = '';

  async function crashOnEvent(): Promise<void> {
    arrived = Promise.withResolvers();
    await Promise.race([arrived.promise, delay(2_000)]);
    // A computation takes about so long.
    await delay(Math.random() * 100);
    await system().functions.crash('status');
  }

  test('a create is told to its end although the status function is killed at every event', async () => {
    const { cloud, kubernetes, create } = system();
    stackId = await create(await createEvent(cloud, { workers: { node_count: 1 } }));
    const deadline = performance.now() + patience;
    let crashes = 0;
    while ((await liveStatus(kubernetes, stackId)) !== 'CREATE_COMPLETE' && performance.now() < deadline) {
      await crashOnEvent();
      crashes += 1;
    }
    await crashOnEvent();
    const startedAt = performance.now();
    await told(system(), stackId, 'CREATE_COMPLETE');
    say(
      `${crashes} crashes in a create; complete ${((performance.now() - startedAt) / 1000).toFixed(1)} s after the last`,
    );
    expect(crashes).toBeGreaterThan(5);
    expect(new Set(system().reports.statuses(stackId).slice(0, -1).map(statusOf))).toEqual(
      new Set(['CREATE_IN_PROGRESS']),
    );
  });

  test('what happens while the source is away is told with the next event', async () => {
    const { kubernetes, local } = system();
    // What was given back by a function that was killed comes again until half a minute later.
    await local.broker.idle();
    await scaleWorkers(system(), stackId, 2);
    await told(system(), stackId, 'UPDATE_IN_PROGRESS');
    await withoutSource(system(), () =>
      waitForLive(kubernetes, { stackId, status: 'UPDATE_COMPLETE', timeout: patience }),
    );
    expect(lastTold(system(), stackId)).toBe('UPDATE_IN_PROGRESS');
    const [machine] = await kubernetes.list(resources.machine, { namespace });
    await kubernetes.patch(
      resources.machine,
      { namespace, name: machine?.metadata?.name ?? '' },
      { operations: [{ op: 'add', path: '/metadata/labels/example.org~1touched', value: 'yes' }] },
    );
    const report = await told(system(), stackId, 'UPDATE_COMPLETE');
    expect(report.nodegroups.find(({ name }) => name === 'default-worker')).toMatchObject({ node_count: 2 });
  });

  test('what happens while the status function is away is told when it is back', async () => {
    const { kubernetes, functions, local } = system();
    const startAgain = await functions.kill('status');
    const downAt = performance.now();
    await scaleWorkers(system(), stackId, 1);
    await waitForLive(kubernetes, { stackId, status: 'UPDATE_COMPLETE', timeout: patience });
    const already = system().reports.statuses(stackId).length;
    await startAgain();
    const upAt = performance.now();
    await system().reports.status(stackId, {
      what: 'one worker',
      matches: ({ nodegroups }) =>
        nodegroups.some(({ name, node_count }) => name === 'default-worker' && node_count === 1),
      timeout: soon,
    });
    await told(system(), stackId, 'UPDATE_COMPLETE');
    const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
    say(`away for ${seconds(downAt, upAt)} s; told ${seconds(upAt, performance.now())} s after its return`);
    expect(system().reports.statuses(stackId).length).toBeGreaterThan(already);
    expect(local.deadLetters()).toEqual([]);
  });

  test('a node that dies while the health function is away is told when it is back', async () => {
    const { capo, functions, reports } = system();
    const startAgain = await functions.kill('health');
    const revive = capo.faults.set({ kind: 'dies', role: 'worker', cluster: stackId });
    // Longer than Cluster API takes to see it.
    await delay(5_000);
    const already = reports.healths(stackId).length;
    await startAgain();
    const matches = ({ health_status }: HealthReport) =>
      health_status === 'UNHEALTHY' && reports.healths(stackId).length > already;
    const report = await reports.health(stackId, { what: 'UNHEALTHY', matches, timeout: soon });
    expect(report.health_status_reason).toMatchObject({ api: 'ok' });
    revive();
    await reports.health(stackId, { what: 'HEALTHY', matches: isHealthy, timeout: soon });
  });

  test('a create of which nothing was seen is told by the next tick', async () => {
    const { cloud, kubernetes, local, create, reports } = system();
    let unseen = '';
    await withoutSource(system(), async () => {
      unseen = await create(await createEvent(cloud, { workers: { node_count: 1 } }));
      await waitForLive(kubernetes, { stackId: unseen, status: 'CREATE_COMPLETE', timeout: patience });
    });
    expect(lastTold(system(), unseen)).toBe('');
    await local.ping();
    await told(system(), unseen, 'CREATE_COMPLETE');
    for (const each of [unseen, stackId]) {
      await reports.health(each, { what: 'HEALTHY', matches: isHealthy, timeout: soon });
    }
  });
});

describe('a broker that delivers twice and in reverse order', () => {
  const system = systemWithoutTicks({
    specs: { 'Trigger/magnum-status-objects': { delivery: shortDelivery } },
    disturbance: { duplicates: 1, reorder: 8, longestHold: 1_000 },
    // Each dead letter is one.
    logLevel: 'silent',
  });
  let history: ObjectHistory | undefined;
  let stackId = '';

  beforeAll(async () => {
    history = await recordObjectHistory(system().controlPlane.kubeconfigPath);
  });
  afterAll(() => history?.stop());

  /** How many completions were ever recorded of each of the cluster's own operations. */
  function completions(): number[] {
    const records = (history?.changes ?? [])
      .filter(({ kind, name }) => kind === 'cluster' && name === stackId)
      .flatMap(({ object }) => readRecord(object?.metadata?.annotations, null) ?? []);
    const times = (id: string) => records.flatMap((record) => (record.id === id ? (record.completed ?? []) : []));
    return [...new Set(records.map(({ id }) => id))].map((id) => new Set(times(id)).size);
  }

  test('a create is complete once, by the time of the reports', async () => {
    const { cloud, create, local, reports } = system();
    stackId = await create(await createEvent(cloud, { workers: { node_count: 1 } }));
    await told(system(), stackId, 'CREATE_COMPLETE', patience);
    await local.broker.idle();
    const states = reports.received
      .map(({ report }) => report)
      .filter((report) => report.kind === 'status')
      .toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time))
      .map(({ status }) => statusOf(status));
    const first = states.indexOf('CREATE_COMPLETE');
    say(`${states.length} reports, ${states.length - first} of them complete`);
    expect(new Set(states.slice(first))).toEqual(new Set(['CREATE_COMPLETE']));
    expect(new Set(states.slice(0, first))).toEqual(new Set(['CREATE_IN_PROGRESS']));
    expect(completions()).toEqual([1]);
  });

  test('what is given up is a dead letter, and the next tick makes it good', async () => {
    const { kubernetes, functions, local } = system();
    const startAgain = await functions.kill('status');
    await scaleWorkers(system(), stackId, 2);
    await waitForLive(kubernetes, { stackId, status: 'UPDATE_COMPLETE', timeout: patience });
    await withoutSource(system(), async () => {
      await local.broker.idle();
      const dead = local.deadLetters().map(({ attributes }) => attributes);
      say(`${dead.length} dead letters`);
      expect(dead).toContainEqual(expect.objectContaining({ knativeerrorcode: '500', name: stackId }));
      await startAgain();
      expect(lastTold(system(), stackId)).toBe('CREATE_COMPLETE');
      await local.ping();
      await told(system(), stackId, 'UPDATE_COMPLETE');
    });
    expect(completions()).toEqual([1, 1]);
  });
});
