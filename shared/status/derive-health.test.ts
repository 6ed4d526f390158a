import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusterHealth } from '../contract/replies.ts';
import type { CustomObject } from '../kubernetes/kubernetes-object.ts';
import { deriveHealth, judgedParts, type ObservedHealth } from './derive-health.ts';
import { observedCluster as cluster, observedMachine, statusOf } from './testing/health-objects.ts';

const uuid = '21d56b0e-dd80-41ec-b63e-d6fad0deca84';
const stackId = 'kube-abcde';
const going = '2026-11-29T10:00:00Z';

/** `m-…` are Machines of the control plane. */
function machine(name: string, healthy: 'True' | 'False' | 'Unknown', changes: { deletionTimestamp?: string } = {}) {
  return observedMachine(name, healthy, { ...changes, role: name.startsWith('m') ? 'master' : 'worker' });
}

const inService = {
  ControlPlaneInitialized: 'True',
  RemoteConnectionProbe: 'True',
  ControlPlaneAvailable: 'True',
} as const;
const master = machine('m-1', 'True');
const worker = machine('w-1', 'True');
const whole = [master, worker];
const allReady = { api: 'ok', 'm-1-infra.Ready': 'True', 'w-1-infra.Ready': 'True' };
const noneReady = { 'm-1-infra.Ready': 'False', 'w-1-infra.Ready': 'False' };

type Row = [title: string, Partial<ObservedHealth>, status: string, reason: Record<string, string>];

describe('nothing is judged', () => {
  test.each<Row>([
    ['while Magnum has no stack id', { stackId: '', cluster: null, machines: [] }, 'UNKNOWN', {}],
    ['where there is no Cluster', { cluster: null, machines: [] }, 'UNKNOWN', {}],
    ['of Machines whose Cluster is gone', { cluster: null }, 'UNKNOWN', {}],
    ['before Cluster API has looked at the Cluster', { cluster: { metadata: { name: stackId } } }, 'UNKNOWN', {}],
    [
      'before the control plane is initialised',
      { cluster: cluster({ ControlPlaneInitialized: 'False', RemoteConnectionProbe: 'False' }) },
      'UNKNOWN',
      {},
    ],
    [
      'while the control plane may not exist yet',
      { cluster: cluster({ ControlPlaneInitialized: 'Unknown' }) },
      'UNKNOWN',
      {},
    ],
    ['while the Cluster is being deleted', { cluster: cluster({}, { deletionTimestamp: going }) }, 'UNKNOWN', {}],
  ])('%s', (_title, observed, status, reason) => {
    expect(health(observed)).toEqual({ status, reason });
  });
});

describe('the API', () => {
  const nok = { ...allReady, api: 'nok' };
  test.each<Row>([
    ['is ok when it is connected and available', {}, 'HEALTHY', allReady],
    ['is ok when it also answered the probe', { probe: 'answered' }, 'HEALTHY', allReady],
    ['is nok when it did not answer the probe', { probe: 'failed' }, 'UNHEALTHY', nok],
    ['is nok when it is not available', { cluster: cluster({ ControlPlaneAvailable: 'False' }) }, 'UNHEALTHY', nok],
    [
      'is nok when etcd cannot be inspected',
      { cluster: cluster({ ControlPlaneAvailable: 'Unknown' }) },
      'UNHEALTHY',
      nok,
    ],
    [
      'is nok and no Machine known to be ready while the connection is lost, whatever was seen last',
      { cluster: cluster({ RemoteConnectionProbe: 'False' }) },
      'UNHEALTHY',
      { api: 'nok', ...noneReady },
    ],
    [
      'stays nok when the probe finds a way that Cluster API does not',
      { cluster: cluster({ RemoteConnectionProbe: 'False' }), probe: 'answered' },
      'UNHEALTHY',
      { api: 'nok', ...noneReady },
    ],
    [
      'is nok where a condition is missing',
      { cluster: { metadata: {}, status: statusOf({ ControlPlaneInitialized: 'True' }) }, machines: [] },
      'UNHEALTHY',
      { api: 'nok' },
    ],
  ])('%s', (_title, observed, status, reason) => {
    expect(health(observed)).toEqual({ status, reason });
  });
});

describe('a Machine', () => {
  const worn = { deletionTimestamp: going };
  const unready = { ...allReady, 'w-1-infra.Ready': 'False' };
  const masterOnly = { api: 'ok', 'm-1-infra.Ready': 'True' };
  test.each<Row>([
    ['whose Node is not healthy', { machines: [master, machine('w-1', 'False')] }, 'UNHEALTHY', unready],
    ['whose Node is not known', { machines: [master, machine('w-1', 'Unknown')] }, 'UNHEALTHY', unready],
    ['that has no condition yet', { machines: [master, { ...worker, status: {} }] }, 'UNHEALTHY', unready],
    [
      'that has no infrastructure machine yet goes by its own name',
      { machines: [master, { metadata: { name: 'w-2' } }] },
      'UNHEALTHY',
      { ...masterOnly, 'w-2.Ready': 'False' },
    ],
    ['that scaling down removes', { machines: [...whole, machine('w-2', 'True', worn)] }, 'HEALTHY', allReady],
    [
      'that an upgrade has replaced',
      { machines: [machine('m-0', 'Unknown', worn), machine('w-0', 'False', worn), ...whole] },
      'HEALTHY',
      allReady,
    ],
    [
      'that replaces one which failed',
      { machines: [master, machine('w-0', 'False', worn), machine('w-1', 'Unknown')] },
      'UNHEALTHY',
      unready,
    ],
    ['of the control plane that is short of none', { machines: [master] }, 'HEALTHY', masterOnly],
    [
      'of the control plane that is removed before it is replaced',
      {
        cluster: cluster({}, { masters: 3 }),
        machines: [master, machine('m-2', 'True'), machine('m-3', 'False', worn)],
      },
      'UNHEALTHY',
      { ...masterOnly, 'm-2-infra.Ready': 'True', 'control-plane.Ready': 'False' },
    ],
    [
      'of a control plane which scales down from three to one',
      { machines: [master, machine('m-2', 'True'), machine('m-3', 'True', worn)] },
      'HEALTHY',
      { ...masterOnly, 'm-2-infra.Ready': 'True' },
    ],
    [
      'is none, of a Cluster that does not say how many it should have',
      { cluster: { metadata: {}, status: statusOf(inService) }, machines: [] },
      'HEALTHY',
      { api: 'ok' },
    ],
  ])('%s', (_title, observed, status, reason) => {
    expect(health(observed)).toEqual({ status, reason });
  });
});

describe('a nodegroup', () => {
  const first = observedMachine('w-1', 'True', { nodegroup: 'default-worker' });
  const second = observedMachine('w-2', 'True', { nodegroup: 'default-worker' });
  const leaving = observedMachine('w-2', 'True', { nodegroup: 'default-worker', deletionTimestamp: going });
  const other = observedMachine('w-3', 'True', { nodegroup: 'gpu' });
  const withWorkers = (workers: Readonly<Record<string, number | null>>) => cluster({}, { workers });
  const isShort = { ...allReady, 'default-worker.Ready': 'False' };
  test.each<Row>([
    [
      'that has all of its Machines is not told',
      { cluster: withWorkers({ 'default-worker': 2 }), machines: [master, first, second] },
      'HEALTHY',
      { ...allReady, 'w-2-infra.Ready': 'True' },
    ],
    [
      'is short of a Machine that is replaced only when it is gone',
      { cluster: withWorkers({ 'default-worker': 2 }), machines: [master, first, leaving] },
      'UNHEALTHY',
      isShort,
    ],
    [
      'is not filled up by the Machines of another',
      { cluster: withWorkers({ 'default-worker': 2, gpu: 0 }), machines: [master, first, other] },
      'UNHEALTHY',
      { ...isShort, 'w-3-infra.Ready': 'True' },
    ],
    [
      'of which not one Machine is there yet is short too',
      { cluster: withWorkers({ 'default-worker': 1, gpu: 1 }), machines: [master, first] },
      'UNHEALTHY',
      { ...allReady, 'gpu.Ready': 'False' },
    ],
    [
      'that scales down is not short',
      { cluster: withWorkers({ 'default-worker': 1 }), machines: [master, first, leaving] },
      'HEALTHY',
      allReady,
    ],
    [
      'that is being deleted is not short',
      { cluster: withWorkers({ gpu: 0 }), machines: [master, first, leaving] },
      'HEALTHY',
      allReady,
    ],
    [
      'whose size the autoscaler decides is not known to be short',
      { cluster: withWorkers({ 'default-worker': null }), machines: [master, first, leaving] },
      'HEALTHY',
      allReady,
    ],
    [
      'with a name that no object can have goes by none',
      { cluster: withWorkers({ 'A b': 1 }), machines: [master, first] },
      'UNHEALTHY',
      { ...allReady, 'unnamed.Ready': 'False' },
    ],
  ])('%s', (_title, observed, status, reason) => {
    expect(health(observed)).toEqual({ status, reason });
  });
});

describe('the UUID', () => {
  const observed = { stackId, cluster: cluster(), machines: whole };

  test("is the request's, else that of the Cluster's label", () => {
    const other = '00000000-0000-4000-8000-000000000000';
    expect(deriveHealth(observed, { uuid: other })).toMatchObject({ cluster_uuid: other, stack_id: stackId });
    expect(deriveHealth(observed, { uuid: null })).toMatchObject({ cluster_uuid: uuid });
  });

  test.each([null, { metadata: { name: stackId } }])(
    'is missing where nobody tells it, so nothing is said',
    (found) => {
      expect(deriveHealth({ ...observed, cluster: found }, { uuid: null })).toBeNull();
    },
  );
});

describe('whatever the API server answers', () => {
  /** Any JSON, at any place of an object that is otherwise in order. */
  const broken = (object: object) => {
    const paths = pathsOf(object);
    return fc
      .tuple(fc.constantFrom(...paths), fc.jsonValue())
      .map(([path, value]) => replaced(object, path, value) as CustomObject);
  };
  const observations = fc.record({
    stackId: fc.constant(stackId),
    cluster: fc.oneof(
      fc.constant(null),
      broken(cluster()),
      fc.jsonValue().map((value) => value as CustomObject),
    ),
    machines: fc.array(
      fc.oneof(
        broken(master),
        broken(machine('w-1', 'False')),
        fc.jsonValue().map((value) => value as CustomObject),
      ),
    ),
    probe: fc.constantFrom(undefined, 'answered' as const, 'failed' as const),
  });

  test('the report is valid, its keys well-formed, and its status what its reasons say', () => {
    fc.assert(
      fc.property(observations, (observed) => {
        const report = clusterHealth.parse(deriveHealth(observed, { uuid }));
        const { api, ...machines } = report.health_status_reason;
        for (const key of Object.keys(machines)) expect(key).toMatch(/^[a-z0-9][-a-z0-9.]*\.Ready$/);
        expect(['True', 'False']).toEqual(expect.arrayContaining([...new Set(Object.values(machines))]));
        expect(report.health_status).toBe(statusBy(api, Object.values(machines)));
      }),
      { numRuns: 1000 },
    );
  });

  test('the parts of Machines that are kept tell the same as whole ones', () => {
    fc.assert(
      fc.property(observations, (observed) => {
        const machines = observed.machines.map((object) => judgedParts({ ...object }));
        expect(deriveHealth({ ...observed, machines }, { uuid })).toEqual(deriveHealth(observed, { uuid }));
      }),
    );
  });
});

function health(observed: Partial<ObservedHealth>) {
  const report = deriveHealth({ stackId, cluster: cluster(), machines: whole, ...observed }, { uuid });
  return { status: report?.health_status, reason: report?.health_status_reason };
}

function statusBy(api: string | undefined, machines: readonly string[]): string {
  if (api === undefined && machines.length === 0) return 'UNKNOWN';
  return api === 'ok' && machines.every((value) => value === 'True') ? 'HEALTHY' : 'UNHEALTHY';
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaced(item, rest, replacement) : item));
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest, replacement) };
}
