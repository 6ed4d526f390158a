import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusterStatus } from '../contract/replies.ts';
import { deriveStatus } from './derive-status.ts';
import { furtherNeeds } from './further-needs.ts';
import type { MagnumView, Observed } from './observed.ts';
import {
  ago,
  cluster,
  controlPlane,
  machine,
  machineDeployment,
  master,
  now,
  observed,
  openStackServer,
  provisioning,
  record,
  severe,
  stackId,
  uuid,
} from './testing/objects.ts';

const json = () => fc.jsonValue({ maxDepth: 4 });
const absent = fc.constant(undefined);

/** Any JSON at all in every slot of what was observed. */
const anything: fc.Arbitrary<Observed> = fc
  .record({
    cluster: json(),
    controlPlane: fc.oneof(json(), absent),
    machineDeployments: json(),
    machines: json(),
    openStackCluster: fc.oneof(json(), absent),
    openStackServers: fc.oneof(json(), absent),
    openStackMachines: fc.oneof(json(), absent),
    events: fc.oneof(json(), absent),
    serverFaults: fc.oneof(json(), absent),
    addons: fc.oneof(json(), absent),
    cloudConfig: fc.oneof(json(), absent),
  })
  .map((slots) => ({ stackId, ...slots }) as unknown as Observed);

const status = fc.oneof(
  fc.constantFrom(
    'CREATE_IN_PROGRESS',
    'CREATE_COMPLETE',
    'CREATE_FAILED',
    'UPDATE_IN_PROGRESS',
    'DELETE_IN_PROGRESS',
    'DELETE_COMPLETE',
  ),
  fc.string(),
  fc.constant(null),
);
const magnumView: fc.Arbitrary<MagnumView | null> = fc.option(
  fc.record({
    uuid: fc.constantFrom(uuid, 'another'),
    status,
    nodegroups: fc.array(
      fc.record({
        name: fc.constantFrom('default-worker', 'x', '', '__proto__'),
        status,
        role: fc.constantFrom('worker', 'master', null),
      }),
    ),
  }),
);

/** Everything that a computation can have read of a cluster on which much goes on. */
const busy: Observed = observed({
  cluster: cluster({
    records: { '': record('cluster.upgrade'), x: record('nodegroup.create'), y: record('nodegroup.delete') },
    nodegroups: [{ name: 'default-worker', replicas: 1 }, { name: 'x' }],
  }),
  machineDeployments: [machineDeployment(), machineDeployment('x'), machineDeployment('y')],
  machines: [master, machine('w', { said: provisioning }), machine('y', { nodegroup: 'y' })],
  openStackCluster: { metadata: { name: 'i' }, status: { conditions: [severe('Ready', 'OpenStackError', 'x')] } },
  openStackServers: [openStackServer('w', { instanceID: 'i', instanceState: 'ERROR', conditions: [] })],
  openStackMachines: [{ metadata: { name: 'w' } }],
  events: [{ type: 'Warning', message: 'x', metadata: {}, involvedObject: { name: 'w' } }],
  serverFaults: { w: 'No valid host was found.' },
  addons: { resourceSet: { spec: { resources: [{ kind: 'Secret', name: 'a' }] } }, binding: null },
});

type Path = readonly string[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))];
}

/** The value with another one at a path, and without it where that is undefined. */
function replaced(value: unknown, [key, ...rest]: Path, part: unknown): unknown {
  if (key === undefined) return part;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaced(item, rest, part) : item));
  const entries = Object.entries(value as object).map(([name, item]) => [
    name,
    name === key ? replaced(item, rest, part) : item,
  ]);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

const paths = pathsOf(busy).filter((path) => path.length > 0 && path[0] !== 'stackId');
/** A state as it may really be, with any one part of it missing or of any shape. */
const damaged: fc.Arbitrary<Observed> = fc
  .tuple(fc.constantFrom(...paths), fc.oneof(json(), absent))
  .map(([path, part]) => replaced(busy, path, part) as Observed);

describe('whatever is observed', { timeout: 60_000 }, () => {
  test('nothing throws, and a report is one of the contract', () => {
    fc.assert(
      fc.property(fc.oneof(anything, damaged), magnumView, (state, magnum) => {
        expect(Array.isArray(furtherNeeds(state, now))).toBe(true);
        const derived = deriveStatus(state, { now, magnum });
        if (derived === null) return;
        clusterStatus.parse(derived.report);
        const reasons = [derived.report, ...derived.report.nodegroups].map((one) => one.status_reason ?? '');
        expect(reasons.every((reason) => reason.length <= 1000)).toBe(true);
        const names = derived.report.nodegroups.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
      }),
      { numRuns: 500 },
    );
  });

  test('no part of a state is one that the rules cannot do without', () => {
    for (const path of paths) {
      for (const part of [undefined, null, 'x']) {
        const state = replaced(busy, path, part) as Observed;
        expect(
          () => [deriveStatus(state, { now, magnum: null }), furtherNeeds(state, now)],
          path.join('.'),
        ).not.toThrow();
      }
    }
  });
});

describe('what is complete', { timeout: 60_000 }, () => {
  const records = {
    '': record('cluster.create', { completed: ago(5) }),
    x: record('nodegroup.create', { completed: ago(5) }),
    y: record('nodegroup.delete', { completed: ago(5) }),
  };

  test('stays complete in every state of the objects, without a new record', () => {
    fc.assert(
      fc.property(anything, fc.jsonValue(), fc.jsonValue(), (state, topology, conditions) => {
        const object = { ...cluster({ records }), spec: { topology }, status: { conditions } };
        const derived = deriveStatus({ ...state, cluster: object, cloudConfig: undefined }, { now, magnum: null });
        expect(derived).toMatchObject({ completed: [], isOpen: false });
        expect(derived?.report).toMatchObject({ action: 'CREATE', state: 'COMPLETE', status_reason: null });
        const states = derived?.report.nodegroups.filter(({ name }) => name === 'x' || name === 'y');
        expect(states).toMatchObject([{ state: 'COMPLETE' }, { action: 'DELETE', state: 'COMPLETE' }]);
      }),
      { numRuns: 300 },
    );
  });

  test('was never called complete while a part of it was missing', () => {
    const whole = observed({ addons: null });
    const needed = pathsOf(whole).filter((path) => isNeeded(path));
    expect(needed.length).toBeGreaterThan(20);
    for (const path of needed) {
      const state = replaced(whole, path, undefined) as Observed;
      expect(deriveStatus(state, { now, magnum: null })?.report.state, path.join('.')).not.toBe('COMPLETE');
    }
  });
});

/** Parts without which nobody can know that the create is complete. */
function isNeeded(path: Path): boolean {
  const text = path.join('.');
  return [
    /^cluster\.metadata\.generation$/,
    /^cluster\.status(\.conditions)?$/,
    /^controlPlane(\.metadata\.generation|\.spec(\.version)?|\.status(\.(observedGeneration|\w*[rR]eplicas))?)?$/,
    /^machineDeployments\.0\.(metadata\.(generation|labels)|spec(\.template|\.replicas)?|status(\.(observedGeneration|\w*[rR]eplicas))?)$/,
    /^machines\.[01]\.(metadata\.labels|spec(\.version)?|status(\.conditions)?)$/,
    /^addons$/,
  ].some((pattern) => pattern.test(text));
}

test('a control plane that nobody could read is not taken for one that is complete', () => {
  const derived = deriveStatus(observed({ controlPlane: undefined }), { now, magnum: null });
  expect(derived?.report.state).toBe('IN_PROGRESS');
  expect(deriveStatus(observed({ controlPlane: controlPlane() }), { now, magnum: null })?.report.state).toBe(
    'COMPLETE',
  );
});
