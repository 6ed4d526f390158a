import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { rollOut } from '../adoption/workloads.ts';
import { waitFor } from '../env/wait-for.ts';
import { createEvent } from '../functions/create-event.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { expectNothingLeft } from '../functions/traces.ts';
import { waitForEnd } from '../system/operation-end.ts';
import { statusOf } from '../system/report-log.ts';
import { systemOfFile } from '../system/system-of-file.ts';
import { machineUids } from './machine-uids.ts';

const system = systemOfFile();

/** Milliseconds for each operation on a busy machine: five masters come one after the other. */
const patience = 600_000;
const versions = ['v1.33.4', 'v1.34.1', 'v1.35.0'] as const;

let magnum: MagnumCluster;
let stackId = '';

beforeAll(async () => {
  const event = await createEvent(system().cloud, {
    workers: { node_count: 1 },
    labels: { kube_tag: versions[0] },
  });
  magnum = new MagnumCluster(event);
});

interface Sent {
  readonly id: string;
  readonly type: string;
}

/** Waits until operations are recorded as complete, and then for the report that says so; expects that none before it did. */
async function completed(events: readonly Sent[], status: string, from: number): Promise<StatusReport> {
  const { reports } = system();
  await waitForEnd(system(), { stackId, events, timeout: patience });
  const matches = (report: StatusReport) => statusOf(report) === status;
  const last = await reports.status(stackId, { what: status, matches, timeout: patience });
  const states = reports.statuses(stackId).slice(from).map(statusOf);
  // The first may still be about what was before.
  const own = states.slice(states.findIndex((state) => state.endsWith('_IN_PROGRESS')));
  expect(own.slice(own.indexOf(status)).filter((state) => state !== status)).toEqual([]);
  return last;
}

/** Carries out operations at the same time and waits for their end; gives the machines before and after them. */
async function done(...events: readonly Sent[]) {
  const before = await machineUids(system().kubernetes, stackId);
  const already = system().reports.statuses(stackId).length;
  await Promise.all(events.map((event) => system().operate(event)));
  const report = await completed(events, 'UPDATE_COMPLETE', already);
  return { before, after: await machineUids(system().kubernetes, stackId), report };
}

/** Statuses of the nodegroups' rows by name. */
function rowsOf({ nodegroups }: StatusReport): Record<string, string> {
  return Object.fromEntries(nodegroups.map((group) => [group.name, statusOf(group)]));
}

test('a cluster of one master and one worker comes up', async () => {
  stackId = await system().operate(magnum.creation);
  await completed([magnum.creation], 'CREATE_COMPLETE', 0);
  magnum.created(stackId);
});

describe('masters', () => {
  test.each([3, 5, 3])('go to %i, and nothing else is touched', async (masters) => {
    const { before, after } = await done(magnum.resize('default-master', masters));
    expect(after.masters).toHaveLength(masters);
    expect(after.workers).toEqual(before.workers);
    const [fewer, more] = [before.masters, after.masters].toSorted((one, other) => one.length - other.length);
    expect(more).toEqual(expect.arrayContaining([...(fewer ?? [])]));
  });
});

describe('workers', () => {
  test('go to five', async () => {
    const { before, after } = await done(magnum.resize('default-worker', 5));
    expect(after.workers).toHaveLength(5);
    expect(after.workers).toEqual(expect.arrayContaining([...before.workers]));
    expect(after.masters).toEqual(before.masters);
  });

  test('go to two, and the chosen three are those that go', async () => {
    const machines = await system().kubernetes.list(resources.machine, { namespace });
    const workers = machines.filter(
      ({ metadata }) => metadata?.labels?.['cluster.x-k8s.io/deployment-name'] !== undefined,
    );
    const chosen = workers.slice(0, 3);
    const servers = chosen.map(({ spec }) => String(Object(spec).providerID).split('/').at(-1) ?? '');
    const { before, after } = await done(magnum.resize('default-worker', 2, servers));
    const gone = chosen.map(({ metadata }) => metadata?.uid);
    expect(after.workers).toEqual(before.workers.filter((uid) => !gone.includes(uid)));
    expect(after.masters).toEqual(before.masters);
  });
});

describe('nodegroups', () => {
  const names = ['one', 'two', 'three'];

  test('three come at once', async () => {
    const { before, after, report } = await done(
      ...names.map((name) => magnum.createNodegroup(name, { node_count: 1 })),
    );
    expect(rowsOf(report)).toMatchObject({ one: 'CREATE_COMPLETE', two: 'CREATE_COMPLETE', three: 'CREATE_COMPLETE' });
    expect(after.workers).toHaveLength(before.workers.length + 3);
    expect(after.workers).toEqual(expect.arrayContaining([...before.workers]));
  });

  test('the first goes while the second grows and another comes', async () => {
    const { report } = await done(
      magnum.deleteNodegroup('one'),
      magnum.resize('two', 2),
      magnum.createNodegroup('four', { node_count: 1 }),
    );
    expect(rowsOf(report)).toMatchObject({ one: 'DELETE_COMPLETE', two: 'UPDATE_COMPLETE', four: 'CREATE_COMPLETE' });
  });

  test('the others go, and their server groups with them', async () => {
    await done(...['four', 'two', 'three'].map((name) => magnum.deleteNodegroup(name)));
    await waitFor(
      async () => {
        const groups = system().cloud.state.serverGroups.map(({ name }) => name);
        expect(groups.toSorted()).toEqual([stackId, `${stackId}-default-worker`]);
      },
      { what: 'the server groups to go' },
    );
  });
});

describe('versions', () => {
  test('that skip a minor are refused, and nothing is changed', async () => {
    const reference = { namespace, name: stackId };
    const before = await system().kubernetes.get(resources.cluster, reference);
    await expect(system().operate(magnum.upgrade(versions[2]))).rejects.toThrow(/rejected/);
    const after = await system().kubernetes.get(resources.cluster, reference);
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata?.annotations).toEqual(before.metadata?.annotations);
  });

  test.each([versions[1], versions[2]])('go one by one, to %s', async (version) => {
    const { before, after } = await done(magnum.upgrade(version));
    expect(after.masters).toHaveLength(before.masters.length);
    expect(after.workers).toHaveLength(before.workers.length);
    const old = [...before.masters, ...before.workers];
    expect([...after.masters, ...after.workers].filter((uid) => old.includes(uid))).toEqual([]);
    const machines = await system().kubernetes.list(resources.machine, { namespace });
    expect(new Set(machines.map(({ spec }) => Object(spec).version))).toEqual(new Set([version]));
  });

  test('that come again rebuild no machine', async () => {
    const { before, after } = await done(magnum.upgrade(versions[2]));
    expect(after).toEqual(before);
  });
});

test('a new credential takes the place of the old one, and no machine is rebuilt', async () => {
  const { cloud } = system();
  const old = cloud.state.applicationCredentials.map(({ id }) => id);
  const token = cloud.issueToken({ user: 'demo', project: 'demo' });
  const userId = cloud.state.users.find(({ name }) => name === 'demo')?.id ?? '';
  const before = await machineUids(system().kubernetes, stackId);
  const already = system().reports.statuses(stackId).length;
  const event = magnum.rotateCredential({ token, userId });
  await system().operate(event);
  await waitFor(
    async () => {
      await rollOut(system(), stackId);
      // No object of the management cluster changes with the pods; the resync would ask as well, every five minutes.
      await system().send('status', magnum.requestStatus('UPDATE_IN_PROGRESS'));
      await waitForEnd(system(), { stackId, events: [event], timeout: 0 });
    },
    { what: 'the end of the rotation', timeout: patience, interval: 1_000 },
  );
  await completed([event], 'UPDATE_COMPLETE', already);
  expect(await machineUids(system().kubernetes, stackId)).toEqual(before);
  const left = cloud.state.applicationCredentials.map(({ id }) => id);
  expect(left).toHaveLength(1);
  expect(old).not.toContain(left[0]);
});

test('the machines that come afterwards are made with it', async () => {
  const { after } = await done(magnum.resize('default-worker', 3));
  expect(after.workers).toHaveLength(3);
});

test('a late duplicate of an older resize changes nothing', async () => {
  const late = { ...magnum.resize('default-worker', 1), id: `req-${randomUUID()}`, time: '2026-01-01T00:00:00Z' };
  await expect(system().operate(late)).rejects.toThrow(/superseded/);
  expect((await machineUids(system().kubernetes, stackId)).workers).toHaveLength(3);
});

test('the cluster goes, and leaves nothing', async () => {
  const already = system().reports.statuses(stackId).length;
  await system().operate(magnum.delete());
  const matches = (report: StatusReport) => statusOf(report) === 'DELETE_COMPLETE';
  await system().reports.status(stackId, { what: 'DELETE_COMPLETE', matches, timeout: patience });
  const states = system().reports.statuses(stackId).slice(already).map(statusOf);
  expect(states.indexOf('DELETE_COMPLETE')).toBe(states.length - 1);
  await expectNothingLeft(system(), { stackId, uuid: magnum.uuid });
});
