import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { FaultRule } from '../cloud/capo/fault-rules.ts';
import { waitFor } from '../env/wait-for.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { applyOperation } from '../system/recorded-operation.ts';
import { systemOfFile } from '../system/system-of-file.ts';
import { type Health, LiveHealth, type StayingMachine, stayingMachines } from './live-health.ts';

const system = systemOfFile();
const workersPath = '/spec/topology/workers/machineDeployments/0/replicas';
const unknown: Health = { health_status: 'UNKNOWN', health_status_reason: {} };
/** Milliseconds for the managers to bring up, replace or give up a machine on a busy machine. */
const patience = 300_000;
/** Milliseconds from a change to its report: the window of five seconds, a computation, and a busy machine. */
const longestLag = 12_000;

let creation: ExampleEvent;
let stackId = '';
let live: LiveHealth;

beforeAll(async () => {
  creation = await createEvent(system().cloud, { workers: { node_count: 1 } });
});

afterEach(() => system().capo.faults.clear());

function fault(rule: FaultRule): () => void {
  return system().capo.faults.set(rule);
}

function machines(): Promise<StayingMachine[]> {
  return stayingMachines(system().kubernetes, stackId);
}

/** Machines as they are said to be, the others ready. */
function health(api: 'ok' | 'nok', all: readonly StayingMachine[], unready: readonly StayingMachine[] = []): Health {
  const reasons = all.map((machine) => [machine.key, unready.includes(machine) ? 'False' : 'True']);
  return {
    health_status: api === 'ok' && unready.length === 0 ? 'HEALTHY' : 'UNHEALTHY',
    health_status_reason: Object.fromEntries([['api', api], ...reasons]),
  };
}

function withShortNodegroup({ health_status_reason }: Health): Health {
  return {
    health_status: 'UNHEALTHY',
    health_status_reason: { ...health_status_reason, 'default-worker.Ready': 'False' },
  };
}

interface Cause {
  readonly what: string;
  /** Asked again and again, since its machines may not be there yet. */
  readonly expected: () => Promise<Health>;
  readonly cause: () => unknown;
}

/** Causes a state, and expects it to be told by event, request and tick. */
async function expectTold({ what, expected, cause }: Cause): Promise<void> {
  const since = system().reports.received.length;
  const startedAt = performance.now();
  await cause();
  const wanted = await waitFor(expected, { what, timeout: patience });
  const lag = await live.toldInAllWays(wanted, since, patience);
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
  process.stdout.write(
    `health: ${what}: told ${seconds(lag)} after the change, in all ways after ${seconds(performance.now() - startedAt)}\n`,
  );
  expect(lag).toBeLessThan(longestLag);
}

async function workers(count: number): Promise<readonly StayingMachine[]> {
  const all = await machines();
  const found = all.filter(({ isMaster }) => !isMaster);
  if (found.length !== count || all.length !== count + 1) throw new Error(`there are ${JSON.stringify(all)}`);
  return found;
}

async function healthy(count: number): Promise<Health> {
  await workers(count);
  return health('ok', await machines());
}

/** How often the core manager has closed its connection to the cluster. */
async function timesDisconnected(): Promise<number> {
  const log = await readFile(join(system().controlPlane.logsDirectory, 'capi-core.log'), 'utf8');
  return log.split('\n').filter((line) => line.includes('"Disconnected"') && line.includes(stackId)).length;
}

test('a cluster that is being created has an unknown health', async () => {
  const join = fault({ kind: 'never-joins', role: 'control-plane' });
  stackId = await system().create(creation);
  live = new LiveHealth(system(), creation, stackId);
  await expectTold({ what: 'being created', expected: async () => unknown, cause: () => undefined });
  join();
});

test('a cluster of which all is there is healthy', async () => {
  await expectTold({ what: 'healthy', expected: () => healthy(1), cause: () => undefined });
});

test('a machine that is missing makes it unhealthy until it is there', async () => {
  const [old] = await workers(1);
  const build = fault({ kind: 'stays-in-build', role: 'worker' });
  await expectTold({
    what: 'a missing machine',
    cause: () =>
      applyOperation(system().kubernetes, stackId, {
        type: 'cluster.resize',
        changes: [{ op: 'replace', path: workersPath, value: 2 }],
      }),
    async expected() {
      const added = (await workers(2)).filter(({ name }) => name !== old?.name);
      const all = await machines();
      return health(
        'ok',
        all,
        all.filter(({ name }) => name === added[0]?.name),
      );
    },
  });
  await expectTold({ what: 'the machine is there', expected: () => healthy(2), cause: build });
});

test('a machine whose node dies makes it unhealthy until it lives again', async () => {
  const all = await machines();
  const dying = all.find(({ isMaster }) => !isMaster);
  let revive: (() => void) | undefined;
  await expectTold({
    what: 'a dead node',
    cause() {
      revive = fault({ kind: 'dies', machine: new RegExp(`^${dying?.name}$`) });
    },
    expected: async () =>
      health(
        'ok',
        all,
        all.filter((machine) => machine === dying),
      ),
  });
  await expectTold({ what: 'the node lives again', expected: () => healthy(2), cause: () => revive?.() });
});

test('a machine that is deleted is left out, its nodegroup is short of one, and its replacement counts', async () => {
  const [leaving, kept] = await workers(2);
  const name = leaving?.name ?? '';
  const deletion = fault({ kind: 'slow-deletion' });
  const build = fault({ kind: 'stays-in-build', role: 'worker' });
  await expectTold({
    what: 'a deleted machine',
    cause: () => system().kubernetes.delete(resources.machine, { namespace, name }),
    async expected() {
      await workers(1);
      return withShortNodegroup(health('ok', await machines()));
    },
  });
  await expectTold({
    what: 'its replacement is coming',
    cause: deletion,
    async expected() {
      const added = (await workers(2)).find((machine) => machine.name !== kept?.name);
      const all = await machines();
      return health(
        'ok',
        all,
        all.filter((machine) => machine.name === added?.name),
      );
    },
  });
  await expectTold({ what: 'the replacement is there', expected: () => healthy(2), cause: build });
  expect((await machines()).map((machine) => machine.name)).not.toContain(name);
});

test('a lost connection is told, and its return too', async () => {
  const all = await machines();
  const disconnections = await timesDisconnected();
  await expectTold({
    what: 'a lost connection',
    cause: () => system().capo.workloadCluster(stackId)?.pauseApi(),
    expected: async () => health('nok', all, all),
  });
  // Before that, Cluster API takes back nothing until something else makes it look at the Cluster.
  await waitFor(async () => expect(await timesDisconnected()).toBe(disconnections + 1), {
    what: 'Cluster API to give up the connection',
    timeout: patience,
  });
  await expectTold({
    what: 'the connection is back',
    cause: () => system().capo.workloadCluster(stackId)?.resumeApi(),
    expected: () => healthy(2),
  });
});

test('a control plane that dies is told, and its return too', async () => {
  const all = await machines();
  let revive: (() => void) | undefined;
  await expectTold({
    what: 'a dead control plane',
    cause() {
      revive = fault({ kind: 'dies', role: 'control-plane' });
    },
    expected: async () => health('nok', all, all),
  });
  await expectTold({ what: 'the control plane lives again', expected: () => healthy(2), cause: () => revive?.() });
});

test('a cluster that is being deleted has an unknown health, and one that is gone too', async () => {
  const { kubernetes, reports, local } = system();
  const deletion = fault({ kind: 'slow-deletion' });
  await expectTold({
    what: 'being deleted',
    cause: () => kubernetes.delete(resources.cluster, { namespace, name: stackId }),
    expected: async () => unknown,
  });
  deletion();
  await waitFor(
    async () => expect(await kubernetes.find(resources.cluster, { namespace, name: stackId })).toBeUndefined(),
    { what: `the end of ${stackId}`, timeout: patience },
  );
  await live.toldOnRequest(unknown);
  await local.broker.idle();
  const already = reports.healths(stackId).length;
  await local.ping();
  await local.broker.idle();
  expect(reports.healths(stackId)).toHaveLength(already);
});
