import { beforeAll, describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { isConditionTrue, readConditions } from '../../shared/status/views/condition.ts';
import type { FaultRule } from '../cloud/capo/fault-rules.ts';
import { waitFor } from '../env/wait-for.ts';
import { createEvent } from '../functions/create-event.ts';
import type { Change } from '../system/object-history.ts';
import { statusOf } from '../system/report-log.ts';
import { systemOfFile } from '../system/system-of-file.ts';
import { reportedFaultsOfFile } from './reported-faults.ts';

const system = systemOfFile();
const faults = reportedFaultsOfFile(system);
/** Milliseconds that the real managers get for some machines on a busy machine. */
const patience = 300_000;
/** Said of a server that CAPO has given up. */
const advice = 'A server that failed is not tried again';

interface ClusterUnderTest {
  readonly stackId: string;
  /** Until when it should be complete, in milliseconds since the epoch. */
  readonly deadline: number;
}

/** Creates a cluster of one master and one worker whose create was asked for a while ago. */
async function created({ minutes, secondsLeft }: { minutes: number; secondsLeft: number }): Promise<ClusterUnderTest> {
  const { cloud, create } = system();
  const event = await createEvent(cloud, { workers: { node_count: 1 } });
  const deadline = Date.now() + secondsLeft * 1_000;
  const time = new Date(deadline - minutes * 60_000).toISOString();
  const data = { ...event.data, cluster_create_timeout: minutes };
  return { stackId: await create({ ...event, time, data }), deadline };
}

/** What an operator does with a machine whose server CAPO has given up: its owner makes another one. */
async function replaceMachines(stackId: string, role: 'control-plane' | 'worker'): Promise<void> {
  const { kubernetes } = system();
  const label = 'cluster.x-k8s.io/control-plane';
  const labelSelector = `cluster.x-k8s.io/cluster-name=${stackId},${role === 'worker' ? `!${label}` : label}`;
  for (const { metadata } of await kubernetes.list(resources.machine, { namespace, labelSelector })) {
    await kubernetes.delete(resources.machine, { namespace, name: metadata?.name ?? '' });
  }
}

async function complete(stackId: string): Promise<void> {
  const matches = (report: StatusReport) => statusOf(report) === 'CREATE_COMPLETE';
  const report = await system().reports.status(stackId, { what: 'CREATE_COMPLETE', matches, timeout: patience });
  expect(report.status_reason).toBeNull();
  expect(report.nodegroups.map(({ state, status_reason }) => [state, status_reason])).toEqual([
    ['COMPLETE', null],
    ['COMPLETE', null],
  ]);
}

/** Until the deadline the create goes on, after it has failed, whatever the reason; and once it is complete it stays so. */
function expectStates({ stackId, deadline }: ClusterUnderTest): void {
  const reports = system().reports.received.flatMap(({ report }) => (report.kind === 'status' ? [report] : []));
  const own = reports.filter(({ status }) => status.stack_id === stackId);
  const open = own.filter(({ status }) => statusOf(status) !== 'CREATE_COMPLETE');
  const expected = open.map(({ time }) => (Date.parse(time) > deadline ? 'CREATE_FAILED' : 'CREATE_IN_PROGRESS'));
  expect(open.map(({ status }) => statusOf(status))).toEqual(expected);
  expect(own.slice(0, open.length)).toEqual(open);
}

let heal: (() => void) | undefined;

/** Puts a rule in force in the place of the one before. */
function become(rule: FaultRule): void {
  const before = heal;
  heal = system().capo.faults.set(rule);
  before?.();
}

function recover(): void {
  heal?.();
  heal = undefined;
}

/** Whether the change is that of a Machine of which Cluster API says something. */
function machineSays(words: string): (change: Change) => boolean {
  return ({ kind, object }) => kind === 'machine' && JSON.stringify(object?.['status'] ?? null).includes(words);
}

/** Whether the change is that of an OpenStackServer of which CAPO says something. */
function serverSays(words: string): (change: Change) => boolean {
  return ({ kind, object }) => kind === 'openStackServer' && JSON.stringify(object?.['status'] ?? null).includes(words);
}

describe('a cluster with little time', () => {
  let cluster: ClusterUnderTest = { stackId: '', deadline: 0 };
  const master = 'default-master';
  const worker = 'default-worker';

  test('tells that its network is refused', async () => {
    become({ kind: 'infrastructure-fails', part: 'network' });
    cluster = await created({ minutes: 1, secondsLeft: 30 });
    await faults.told({
      what: 'a network over quota',
      stackId: cluster.stackId,
      nodegroup: null,
      words: "Quota exceeded for resources: ['network']",
    });
  });

  test('fails with that reason when its time is up, which a resync notices', async () => {
    const { local, reports } = system();
    const isOver = async () => {
      if (Date.now() <= cluster.deadline) throw new Error('there is time left');
    };
    await waitFor(isOver, { what: 'the deadline' });
    await local.ping();
    const matches = (report: StatusReport) => statusOf(report) === 'CREATE_FAILED';
    const report = await reports.status(cluster.stackId, { what: 'CREATE_FAILED', matches });
    const reason = /was not complete in time, by [\dT:.-]+Z\. .*Quota exceeded for resources: \['network'\]/;
    expect(report.status_reason).toMatch(reason);
    for (const { state, status_reason } of report.nodegroups) {
      expect(state).toBe('FAILED');
      expect(status_reason).toMatch(reason);
    }
  });

  test.each<[string, FaultRule, string]>([
    [
      'a load balancer that is never active',
      { kind: 'infrastructure-fails', part: 'load-balancer-not-active' },
      'is not active after timeout',
    ],
    [
      'a floating IP over quota',
      { kind: 'infrastructure-fails', part: 'floating-ip' },
      "Quota exceeded for resources: ['floatingip']",
    ],
  ])('tells of %s', async (what, rule, words) => {
    const { stackId } = cluster;
    const report = await faults.told({ what, stackId, cause: () => become(rule), nodegroup: null, words });
    expect(statusOf(report)).toBe('CREATE_FAILED');
  });

  test('tells that no host takes its control plane, and that this is final', async () => {
    const { stackId } = cluster;
    const report = await faults.told({
      what: 'a control plane without a host',
      stackId,
      cause: () => become({ kind: 'no-valid-host', role: 'control-plane' }),
      nodegroup: master,
      words: 'No valid host was found',
      shows: serverSays('InstanceStateError'),
    });
    expect(statusOf(report)).toBe('CREATE_FAILED');
    expect(report.status_reason).toContain(advice);
  });

  test('tells that a worker is over quota', async () => {
    const { stackId } = cluster;
    const report = await faults.told({
      what: 'a worker over quota',
      stackId,
      async cause() {
        become({ kind: 'quota-exceeded', role: 'worker' });
        await replaceMachines(stackId, 'control-plane');
      },
      nodegroup: worker,
      words: 'Quota exceeded for instances: Requested 1, but already used 10 of 10 instances',
    });
    expect(statusOf(report)).toBe('CREATE_FAILED');
    expect(report.status_reason).toContain(advice);
  });

  test('is complete after all when nothing is wrong any more', async () => {
    recover();
    await replaceMachines(cluster.stackId, 'worker');
    await complete(cluster.stackId);
    expectStates(cluster);
  });

  test('tells what it waits for when Nova is slow to delete', async () => {
    const { stackId } = cluster;
    const { kubernetes } = system();
    const report = await faults.told({
      what: 'a server that stays',
      stackId,
      async cause() {
        become({ kind: 'slow-deletion' });
        await kubernetes.delete(resources.cluster, { namespace, name: stackId });
      },
      nodegroup: worker,
      words: 'is still there: Waiting for OpenStackMachine to be deleted',
      shows: machineSays('Waiting for OpenStackMachine to be deleted'),
    });
    expect(statusOf(report)).toBe('DELETE_IN_PROGRESS');
    recover();
    const probe = async () => {
      expect(await kubernetes.find(resources.cluster, { namespace, name: stackId })).toBeUndefined();
    };
    await waitFor(probe, { what: `the end of ${stackId}`, timeout: patience });
  });
});

describe('a cluster with time', () => {
  let cluster: ClusterUnderTest = { stackId: '', deadline: 0 };
  const nodegroup = 'default-worker';

  beforeAll(async () => {
    become({ kind: 'image-not-found', role: 'worker' });
    cluster = await created({ minutes: 60, secondsLeft: 3_600 });
  });

  test('tells that a worker has no image', async () => {
    const { stackId } = cluster;
    const report = await faults.told({
      what: 'a worker without an image',
      stackId,
      nodegroup,
      words: 'could not be found',
    });
    expect(report.status_reason).toMatch(
      /: error creating Openstack instance: Image \S+ could not be found \(HTTP 400\)\. /,
    );
  });

  test.each<[string, FaultRule, string, (change: Change) => boolean]>([
    [
      'a worker without a host',
      { kind: 'no-valid-host', role: 'worker', message: 'No valid host was found. Not enough memory.' },
      'No valid host was found. Not enough memory.',
      serverSays('InstanceStateError'),
    ],
    [
      'a worker that Nova never builds',
      { kind: 'stays-in-build', role: 'worker' },
      'waiting for its server, which is in state BUILD',
      serverSays('"instanceState":"BUILD"'),
    ],
    [
      'a worker that never joins',
      { kind: 'never-joins', role: 'worker' },
      'waiting for a Node with spec.providerID',
      machineSays('Waiting for a Node with spec.providerID'),
    ],
  ])('tells of %s', async (what, rule, words, shows) => {
    const { stackId } = cluster;
    const cause = async () => {
      become(rule);
      await replaceMachines(stackId, 'worker');
    };
    const report = await faults.told({ what, stackId, cause, nodegroup, words, shows });
    expect(report.nodegroups.find(({ name }) => name === 'default-master')?.status_reason ?? '').not.toContain(words);
  });

  test('is complete when nothing is wrong any more', async () => {
    recover();
    await complete(cluster.stackId);
    expectStates(cluster);
  });

  test('tells as its health that a node dies, and that it is back', async () => {
    const { stackId } = cluster;
    const { reports } = system();
    const health = await faults.unhealthy({
      what: 'a node that dies',
      stackId,
      cause: () => become({ kind: 'dies', role: 'worker' }),
      shows: ({ kind, object }) => kind === 'machine' && !isConditionTrue(readConditions(object), 'NodeHealthy'),
    });
    expect(Object.values(health.health_status_reason)).toContain('False');
    expect(reports.statuses(stackId).at(-1)).toMatchObject({ state: 'COMPLETE', status_reason: null });
    recover();
    const matches = ({ health_status }: { health_status: string }) => health_status === 'HEALTHY';
    await reports.health(stackId, { what: 'HEALTHY', matches, timeout: patience });
  });
});
