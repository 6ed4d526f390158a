import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../../shared/kubernetes/errors.ts';
import type { ExitCode } from '../command.ts';
import { printNote } from '../output/terminal.ts';
import type { ChangedClusters, Changes } from './changed-clusters.ts';
import type { ClusterSnapshot } from './cluster-snapshot.ts';
import { type Awaited, outcomeOf } from './outcome.ts';
import { changesOnto, type Seen } from './show-changes.ts';
import { lookAt, stackIdsOf, type View } from './view.ts';
import { type ClusterWatch, watchClusters } from './watch-clusters.ts';

/** Milliseconds until an API server that did not answer is asked again. */
const pause = 2_000;

/**
 * Shows clusters again whenever something of them changes, until the terminal's signal aborts or they have ended as is waited
 * for. It never asks on its own account: all comes from watches.
 */
export async function watchStatus(view: View, awaited: Awaited | undefined): Promise<ExitCode> {
  const { management, terminal } = view;
  const ended = new AbortController();
  try {
    // Before the first look, so that nothing is missed in between.
    const watch = await watchClusters(management, AbortSignal.any([terminal.signal, ended.signal]));
    for (const problem of watch.problems) printNote(terminal, `! ${problem}`);
    const outcome = await showUntil(view, watch, awaited);
    if (outcome !== undefined) return outcome;
  } catch (error) {
    if (!terminal.signal.aborted) throw error;
  } finally {
    ended.abort();
  }
  return awaited === undefined ? 0 : 1;
}

/** @returns undefined where the terminal's signal aborts first */
async function showUntil(
  view: View,
  { changes }: ClusterWatch,
  awaited: Awaited | undefined,
): Promise<ExitCode | undefined> {
  const show = changesOnto(view);
  const known = new Set<string>();
  let seen: Seen = new Map();
  let changed: Changes | undefined = { clusters: null };
  while (changed !== undefined) {
    const before = seen;
    seen = await lookAgain(view, before, changed).catch((error: unknown) => tryLater(view, changes, error) ?? before);
    show(before, seen);
    const outcome = awaited === undefined ? undefined : outcomeOf([...seen.values()], awaited, known);
    if (outcome !== undefined) return outcome;
    for (const stackId of reported(seen)) known.add(stackId);
    changed = await changes.take(view.terminal.signal);
  }
  return undefined;
}

/** While the API server is away, what was seen stays; watches tell nothing of what was only not read. */
function tryLater({ terminal }: View, changes: ChangedClusters, error: unknown): undefined {
  if (!(error instanceof UnavailableError)) throw error;
  printNote(terminal, `! ${error.message}`);
  void sleep(pause, undefined, { signal: terminal.signal }).then(
    () => changes.addAll(),
    () => undefined,
  );
}

function reported(seen: Seen): readonly string[] {
  return [...seen.values()].filter(({ report }) => report !== null).map(({ stackId }) => stackId);
}

/** Reads only what has changed; of all clusters, one that nobody has seen yet has come. */
async function lookAgain(view: View, before: Seen, { clusters }: Changes): Promise<Seen> {
  const isNew = view.asked === null && [...(clusters ?? [])].some((stackId) => !before.has(stackId));
  const stackIds = clusters === null || isNew ? await stackIdsOf(view) : [...before.keys()];
  const outdated = stackIds.filter((stackId) => clusters === null || clusters.has(stackId) || !before.has(stackId));
  const fresh = new Map((await lookAt(view, outdated)).map((snapshot) => [snapshot.stackId, snapshot]));
  const current = stackIds.flatMap((stackId) => fresh.get(stackId) ?? before.get(stackId) ?? []);
  return new Map(current.filter((snapshot) => !isGone(view, snapshot)).map((snapshot) => [snapshot.stackId, snapshot]));
}

/** One of all clusters of which nothing is left; one that was asked for stays. */
function isGone({ asked }: View, { report, uuid }: ClusterSnapshot): boolean {
  return asked === null && report === null && uuid === null;
}
