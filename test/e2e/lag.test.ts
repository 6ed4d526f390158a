import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../env/wait-for.ts';
import { type ObjectHistory, recordObjectHistory } from '../system/object-history.ts';
import { becameTrue, inOrder, type Truth, truthsOf } from './change-moments.ts';
import { exampleTemplate, newVersion } from './example-template.ts';
import { magnumOfFile } from './magnum-of-file.ts';

/** Types of the events that came into the broker, with their moments. */
const events: { readonly type: string; readonly at: number }[] = [];
const stage = magnumOfFile({
  system: { onEvent: ({ attributes }) => void events.push({ type: `${attributes['type']}`, at: performance.now() }) },
});
/** Milliseconds for which nothing happens. */
const quiet = 150_000;
/** Milliseconds within which the original driver's poll, every ten seconds, sees half of all changes. */
const halfOfPoll = 5_000;

let history: ObjectHistory | undefined;
let uuid = '';
let stackId = '';

beforeAll(async () => {
  history = await recordObjectHistory(stage().controlPlane.kubeconfigPath);
});
afterAll(() => history?.stop());

async function ended(operation: () => Promise<unknown>): Promise<void> {
  const since = performance.now();
  await operation();
  expect(await stage().rows.ended(uuid, since)).toMatchObject({ status: 'UPDATE_COMPLETE' });
}

test('a cluster lives', async () => {
  const { magnum, rows } = stage();
  const template = await magnum.createTemplate(exampleTemplate());
  const newer = await magnum.createTemplate(exampleTemplate({ name: 'newer', labels: { kube_tag: newVersion } }));
  const counts = { master_count: 1, node_count: 1 };
  uuid = await magnum.createCluster({ name: 'quick', cluster_template_id: template, keypair: 'mykey', ...counts });
  await magnum.untilCluster(uuid, 'CREATE_COMPLETE');
  stackId = rows.cluster(uuid)?.stack_id ?? '';
  for (const node_count of [2, 1, 3, 1]) await ended(() => magnum.resize(uuid, { node_count }));
  await ended(() => magnum.createNodegroup(uuid, { name: 'more', node_count: 1, merge_labels: true }));
  await ended(() => magnum.deleteNodegroup(uuid, 'more'));
  await ended(() => magnum.upgrade(uuid, newer));
});

test('while nothing happens, no function is asked', async () => {
  const { gateway, rows } = stage();
  await waitFor(async () => expect(rows.cluster(uuid)?.health_status).toBe('HEALTHY'), { what: 'health' });
  await delay(20_000);
  const began = performance.now();
  await delay(quiet);
  const calls = gateway.calls.filter(({ at }) => at > began).map(({ type }) => type);
  const others = events.filter(({ at, type }) => at > began && type !== 'dev.knative.sources.ping');
  console.info(`in ${quiet / 1000} s without changes: ${calls.length} calls by Magnum, ${others.length} events`);
  expect(calls).toEqual([]);
  // The resync alone answers with a report for each cluster.
  expect(others.filter(({ type }) => !/cluster\.(status|health)\.v1$/.test(type))).toEqual([]);
});

test('and ends', async () => {
  const { magnum } = stage();
  await magnum.deleteCluster(uuid);
  await magnum.untilGone(uuid);
});

test("each change is in Magnum's row long before a poll would have seen it", () => {
  const lags = rowLags();
  expect(lags.length).toBeGreaterThan(15);
  const sorted = lags.map(({ ms }) => ms).toSorted((one, other) => one - other);
  for (const { what, ms } of lags) console.info(`${what}: ${Math.round(ms)} ms`);
  const [median = 0, p95 = 0] = [0.5, 0.95].map((share) => sorted[Math.ceil(share * sorted.length) - 1]);
  console.info(`${sorted.length} changes: p50 ${Math.round(median)} ms, p95 ${Math.round(p95)} ms`);
  expect(p95).toBeLessThan(halfOfPoll);
});

interface Lag {
  readonly what: string;
  readonly ms: number;
}

type Past = readonly Truth[];

/** From the change of an object to the row, for what users wait for. */
function rowLags(): readonly Lag[] {
  if (history === undefined) return [];
  const past = truthsOf(history, stackId);
  return [...clusterLags(past), ...addressLags(past)];
}

function lagOf(
  past: Past,
  { what, at }: { readonly what: string; readonly at: number },
  holds: (truth: Truth) => boolean,
) {
  const from = becameTrue(past, holds, at);
  return from === undefined ? [] : [{ what, ms: at - from }];
}

/** The ends of operations, and of the cluster. */
function clusterLags(past: Past): readonly Lag[] {
  const rows = stage().rows.clusterRows(uuid);
  return rows.flatMap(({ at, row }, index) => {
    if (row === null) return lagOf(past, { what: 'the row goes', at }, ({ exists }) => !exists);
    const before = rows[index - 1]?.row?.status;
    if (row.status === before || !row.status.endsWith('_COMPLETE')) return [];
    return lagOf(past, { what: row.status, at }, ({ isComplete }) => isComplete);
  });
}

/** The addresses of nodes that come and go. */
function addressLags(past: Past): readonly Lag[] {
  const known = new Map<string, string>();
  return stage()
    .rows.nodegroupRows(uuid)
    .flatMap(({ name, at, row }) => {
      const now = inOrder(row?.node_addresses ?? []);
      if (row === null || now === (known.get(name) ?? '')) return [];
      known.set(name, now);
      return lagOf(past, { what: `addresses of ${name}`, at }, ({ addresses }) => addresses[name] === now);
    });
}
