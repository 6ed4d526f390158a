import { type Clock, systemClock } from '../kubernetes/clock.ts';
import { activeScope, boundToScope } from '../telemetry/event-scope.ts';

export interface CoalescerOptions {
  /** Milliseconds between the end of a computation and the start of the next one of its key. @default 800 */
  readonly windowMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** One that waits for a computation. */
export interface Joining<Result> {
  /** Aborts when it waits no longer. */
  readonly signal: AbortSignal;
  /** Runs for all who share it, unless another of them came first; its signal aborts when nobody waits any more. */
  readonly compute: (signal: AbortSignal) => Promise<Result>;
}

/** The result of a computation as each of those who share it gets it. */
export interface Share<Result> {
  readonly result: Result;
  /** True for the first who asks: what is to be said only once is for that one to say. */
  claim(): boolean;
}

/** With computations of up to 0.1 s nobody then waits for more than a second, and a burst costs one computation a second. */
const defaultWindowMs = 800;

/**
 * Shares computations among the events of a burst. The first of a quiet key is computed at once; those that come while it is
 * computed, or within the window after it, share the next. So each waits for a computation that began after it came, and
 * none overlaps another of its key. A computation that fails, fails all who share it.
 */
export class Coalescer<Result> {
  readonly #windowMs: number;
  readonly #clock: Clock;
  /** Keys that are not quiet. */
  readonly #series = new Map<string, Series<Result>>();

  constructor({ windowMs = defaultWindowMs, clock = systemClock }: CoalescerOptions = {}) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Keys that something is computed for, or was within the window. */
  get size(): number {
    return this.#series.size;
  }

  /** @throws what the computation throws; the signal's reason when it aborts */
  async join(key: string, { signal, compute }: Joining<Result>): Promise<Share<Result>> {
    signal.throwIfAborted();
    const series = this.#series.get(key) ?? { next: undefined };
    if (series.next === undefined) series.next = newRound(compute);
    else countShared();
    const share = waitFor(series, series.next, signal);
    if (!this.#series.has(key)) void this.#run(key, series);
    return await share;
  }

  async #run(key: string, series: Series<Result>): Promise<void> {
    this.#series.set(key, series);
    while (series.next !== undefined) {
      await carryOutNext(series);
      await this.#clock.sleep(this.#windowMs);
    }
    this.#series.delete(key);
  }
}

/** The computations of one key, one after the other. */
interface Series<Result> {
  /** Not begun yet. */
  next: Round<Result> | undefined;
}

/** One computation and who shares it. */
interface Round<Result> {
  readonly compute: Joining<Result>['compute'];
  readonly controller: AbortController;
  readonly waiting: Set<PromiseWithResolvers<Share<Result>>>;
}

/** The calls of a computation belong to the event that brought it, although the one before it goes on to it. */
function newRound<Result>(compute: Joining<Result>['compute']): Round<Result> {
  return { compute: boundToScope(compute), controller: new AbortController(), waiting: new Set() };
}

function countShared(): void {
  const scope = activeScope();
  scope?.metrics.add('coalesced', { function: scope.functionName });
}

/** A function of its own, so that nothing holds the result while the window lasts. */
async function carryOutNext<Result>(series: Series<Result>): Promise<void> {
  const round = series.next;
  if (round === undefined) return;
  series.next = undefined;
  const { compute, controller, waiting } = round;
  try {
    const result = await compute(controller.signal);
    const share = { result, claim: once() };
    for (const { resolve } of waiting) resolve(share);
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}

async function waitFor<Result>(
  series: Series<Result>,
  round: Round<Result>,
  signal: AbortSignal,
): Promise<Share<Result>> {
  const waiter = Promise.withResolvers<Share<Result>>();
  const leave = () => {
    waiter.reject(signal.reason);
    round.waiting.delete(waiter);
    if (round.waiting.size > 0) return;
    if (series.next === round) series.next = undefined;
    round.controller.abort(signal.reason);
  };
  round.waiting.add(waiter);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await waiter.promise;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function once(): () => boolean {
  let isTaken = false;
  return () => {
    const isFirst = !isTaken;
    isTaken = true;
    return isFirst;
  };
}
