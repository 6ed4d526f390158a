import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { functionNames } from '../../shared/contract/event-types.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { readMachine } from '../../shared/status/views/machine-view.ts';
import { connectApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { grantFunctionAccess } from '../functions/function-access.ts';
import { type EventAnswer, sendEvent } from '../functions/send-event.ts';
import { applyOperation, type RecordedOperation } from '../system/recorded-operation.ts';
import { statusOf } from '../system/report-log.ts';
import { pollEvent } from './conductor-poll.ts';
import { waitForLive } from './live-status.ts';
import { systemWithoutTicks } from './system-without-ticks.ts';

const system = systemWithoutTicks();
const before = 'v1.33.4';
const after = 'v1.34.1';
/** Milliseconds for the managers to bring up or replace machines on a busy machine. */
const patience = 600_000;
/** Milliseconds for what has to be told without any further change of the objects: the broker waits up to 32 s by then. */
const soon = 120_000;
/** Milliseconds of an outage. */
const outage = 40_000;

let creation: ExampleEvent;
let stackId = '';
/** Reports that there were before the operation of a test. */
let already = 0;

beforeAll(async () => {
  creation = await createEvent(system().cloud, { workers: { node_count: 1 }, labels: { kube_tag: before } });
});
afterEach(() => {
  system().line.set('up');
  system().cloud.faults.clear();
});

function say(text: string): void {
  process.stdout.write(`outages: ${text}\n`);
}

async function change(operation: RecordedOperation): Promise<void> {
  already = system().reports.statuses(stackId).length;
  await applyOperation(system().kubernetes, stackId, operation);
}

function scale(count: number): Promise<void> {
  const path = '/spec/topology/workers/machineDeployments/0/replicas';
  return change({ type: 'cluster.resize', changes: [{ op: 'replace', path, value: count }] });
}

function sinceThen(): readonly StatusReport[] {
  return system().reports.statuses(stackId).slice(already);
}

function inProgress(): Promise<unknown> {
  const matches = ({ state }: StatusReport) => state === 'IN_PROGRESS';
  return system().reports.status(stackId, { what: 'a report in progress', matches, timeout: patience });
}

/** The operation is told complete when it is so, and never before; nothing else is told meanwhile. */
async function completes(action: 'CREATE' | 'UPDATE'): Promise<StatusReport> {
  const { kubernetes, reports, local } = system();
  const status = `${action}_COMPLETE`;
  await waitForLive(kubernetes, { stackId, status, timeout: patience });
  const liveAt = performance.now();
  const matches = (report: StatusReport) => statusOf(report) === status && sinceThen().length > 0;
  const report = await reports.status(stackId, { what: status, matches, timeout: soon }).catch(async () => {
    say(`${status} needs a ping`);
    await local.ping();
    return reports.status(stackId, { what: status, matches, timeout: soon });
  });
  const states = sinceThen().map(statusOf);
  const first = states.indexOf(status);
  say(`${status}: told ${((performance.now() - liveAt) / 1000).toFixed(1)} s after it was so, after ${first} others`);
  expect(states.slice(0, first).filter((state) => state !== `${action}_IN_PROGRESS`)).toEqual([]);
  expect(states.slice(first).filter((state) => state !== status)).toEqual([]);
  return report;
}

async function expectMachines(count: number, version: string): Promise<void> {
  const machines = await system().kubernetes.list(resources.machine, { namespace });
  expect(machines.map(({ spec }) => spec)).toEqual(Array(count).fill(expect.objectContaining({ version })));
}

async function masterVersions(): Promise<unknown[]> {
  const labelSelector = 'cluster.x-k8s.io/control-plane';
  const machines = await system().kubernetes.list(resources.machine, { namespace, labelSelector });
  return machines.map(({ spec }) => readMachine({ spec }).version);
}

/** Asks both functions once as the conductor does. */
function ask(): Promise<EventAnswer[]> {
  const { functions, access } = system();
  const answers = (['status', 'health'] as const).map((what) =>
    sendEvent(functions.get(what).url, pollEvent(creation, stackId, what), access.callerToken),
  );
  return Promise.all(answers);
}

/** Whoever asks meanwhile is told to come again. */
async function expectComeAgain(): Promise<void> {
  expect((await ask()).map(({ status }) => status)).toEqual([503, 503]);
}

/** Whoever asks while the API server starts is told the truth or to come again, and never refused for good. */
async function expectTruthWhile(starting: Promise<unknown>): Promise<void> {
  let isStarting = true;
  const end = starting.finally(() => {
    isStarting = false;
  });
  const asked: Promise<EventAnswer[]>[] = [];
  while (isStarting) {
    asked.push(ask());
    await delay(100);
  }
  await end;
  const answers = (await Promise.all(asked)).flat();
  const statuses = answers.map(({ status }) => status);
  say(`${statuses.filter((status) => status === 200).length} of ${statuses.length} were answered while it started`);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const told = answers.flatMap(({ status, data }) => (status === 200 ? [JSON.stringify(data)] : []));
  expect(told.filter((text) => text.includes('FAILED') || text.includes('UNKNOWN'))).toEqual([]);
}

async function waitForReadiness(): Promise<void> {
  const { controlPlane } = system();
  const api = connectApi({ ...controlPlane, token: controlPlane.adminToken });
  await waitFor(() => api.call('GET', '/readyz'), { what: 'the API server', timeout: soon });
  api.close();
}

test('a create that is sent while the network fails again and again is carried out once', async () => {
  const { line, create, kubernetes, cloud } = system();
  line.set('refused');
  const sent = create(creation);
  await delay(5_000);
  line.set('up');
  // In the middle of what it writes.
  await delay(500);
  line.set('silent');
  await delay(20_000);
  line.set('up');
  stackId = await sent;
  const clusters = await kubernetes.list(resources.cluster, { namespace });
  expect(clusters.map(({ metadata }) => metadata?.name)).toEqual([stackId]);
  const credentials = cloud.state.applicationCredentials.filter(({ name }) => name.startsWith(creation.subject));
  expect(credentials).toHaveLength(1);
});

test('a create goes on after the API server has hung', async () => {
  const { controlPlane, kubernetes } = system();
  const hasMachine = async () => expect(await kubernetes.list(resources.machine, { namespace })).not.toEqual([]);
  await waitFor(hasMachine, { what: 'the first machine', timeout: patience });
  const pid = controlPlane.pids['kube-apiserver'] ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    await Promise.all([delay(outage), expectComeAgain()]);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const report = await completes('CREATE');
  expect(report).toMatchObject({ status_reason: null, coe_version: before });
  await expectMachines(2, before);
});

test('an update goes on after the network has refused everything', async () => {
  const { line } = system();
  await scale(2);
  await inProgress();
  line.set('refused');
  await Promise.all([delay(outage), expectComeAgain()]);
  line.set('up');
  await completes('UPDATE');
  await expectMachines(3, before);
});

test('an update goes on after the network has swallowed everything', async () => {
  const { line } = system();
  await scale(1);
  line.set('silent');
  await Promise.all([delay(outage), expectComeAgain()]);
  line.set('up');
  await completes('UPDATE');
  await expectMachines(2, before);
});

test('an upgrade goes on after the API server was killed and came back', async () => {
  const { controlPlane } = system();
  await change({
    type: 'cluster.upgrade',
    changes: [{ op: 'replace', path: '/spec/topology/version', value: after }],
  });
  // A control plane that makes a Machine just after such an outage may take away again what that needs (helpers.go, createMachine).
  await waitFor(async () => expect(await masterVersions()).toEqual([after]), {
    what: 'the new control plane',
    timeout: patience,
  });
  expect(statusOf(sinceThen().at(-1) ?? { action: null, state: 'COMPLETE' })).toBe('UPDATE_IN_PROGRESS');
  const startAgain = await controlPlane.kill('kube-apiserver');
  await Promise.all([delay(outage), expectComeAgain()]);
  startAgain();
  await expectTruthWhile(waitForReadiness().then(() => delay(2_000)));
  const report = await completes('UPDATE');
  expect(report.coe_version).toBe(after);
  await expectMachines(2, after);
});

test('an update goes on after the tokens of the functions have become invalid and were exchanged', async () => {
  const { api, functions } = system();
  for (const name of functionNames) {
    await api.call('DELETE', `/api/v1/namespaces/${namespace}/serviceaccounts/magnum-${name}`);
  }
  await scale(2);
  const askedAt = performance.now();
  // An API server remembers for ten seconds that a token is valid.
  const refused = async () => expectComeAgain();
  await waitFor(refused, { what: 'the tokens to be refused', timeout: soon, interval: 1_000 });
  say(`tokens are refused after ${((performance.now() - askedAt) / 1000).toFixed(1)} s`);
  await delay(10_000);
  const { tokens } = await grantFunctionAccess(api);
  for (const name of functionNames) await functions.get(name).replaceToken(tokens[name] ?? '');
  await completes('UPDATE');
  await expectMachines(3, after);
});

test('a server in ERROR is told without its reason while OpenStack is down, and with it afterwards', async () => {
  const { cloud, capo, local, reports, kubernetes } = system();
  const message = 'No valid host was found. There are not enough hosts available.';
  const noHost = capo.faults.set({ kind: 'no-valid-host', role: 'worker', message });
  cloud.faults.inject({ service: 'compute', status: 503, times: 10_000 });
  cloud.faults.inject({ service: 'identity', cut: 'before', times: 10_000 });
  await scale(3);
  const inError = ({ state, status_reason }: StatusReport) =>
    state === 'IN_PROGRESS' && (status_reason ?? '').includes('ERROR');
  const without = await reports.status(stackId, { what: 'ERROR', matches: inError, timeout: patience });
  say(`without OpenStack: ${without.status_reason}`);
  expect(without.status_reason).not.toContain(message);
  cloud.faults.clear();
  const explained = ({ status_reason }: StatusReport) => (status_reason ?? '').includes(message);
  // The cloud is asked again after 30 s.
  await waitFor(
    async () => {
      await local.ping();
      await reports.status(stackId, { what: message, matches: explained, timeout: 5_000 });
    },
    { what: 'the reason', timeout: soon },
  );
  noHost();
  const failed = (await kubernetes.list(resources.machine, { namespace })).find(
    ({ status }) => !JSON.stringify(status).includes('nodeRef'),
  );
  await kubernetes.delete(resources.machine, { namespace, name: failed?.metadata?.name ?? '' });
  await completes('UPDATE');
  await expectMachines(4, after);
});

test('not one report of all was wrong, nothing was given up, and nothing had to be restarted', async () => {
  const { reports, local } = system();
  const statuses = reports.statuses(stackId);
  say(`${statuses.length} status reports, ${reports.healths(stackId).length} health reports`);
  expect(statuses.filter(({ action, state }) => state === 'FAILED' || action === 'DELETE')).toEqual([]);
  const reasons = statuses.map(({ status_reason }) => status_reason ?? '');
  expect(reasons.filter((reason) => /management cluster|cluster is gone|is missing/.test(reason))).toEqual([]);
  const health = reports.healths(stackId).map(({ health_status }) => health_status);
  const known = health.findIndex((each) => each !== 'UNKNOWN');
  expect(health.slice(known).filter((each) => each === 'UNKNOWN')).toEqual([]);
  expect(local.deadLetters()).toEqual([]);
  expect((await ask()).map(({ status }) => status)).toEqual([200, 200]);
});
