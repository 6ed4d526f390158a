/** The first pause after a failure, in ms; it doubles. */
const firstPause = 50;
/** The longest pause, in ms; controller-runtime goes up to 1,000 s, and no test would live to see that. */
const longestPause = 5_000;

export interface WorkQueueOptions {
  /** Milliseconds until it wants to be called again; undefined = when something changes. */
  readonly reconcile: (key: string) => Promise<number | undefined>;
  readonly onError: (key: string, error: unknown) => void;
}

interface Work {
  running: boolean;
  again: boolean;
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

/** Reconciles objects by their keys, never one twice at a time; what failed is tried again after a pause. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #works = new Map<string, Work>();
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Reconciles the object now, or again where it is being reconciled. */
  add(key: string): void {
    if (this.#stopped) return;
    const work = this.#works.get(key) ?? { running: false, again: false, failures: 0, timer: undefined };
    this.#works.set(key, work);
    if (work.running) {
      work.again = true;
      return;
    }
    const promise = this.#run(key, work).finally(() => this.#running.delete(promise));
    this.#running.add(promise);
  }

  /** Starts nothing more and returns when nothing runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { timer } of this.#works.values()) clearTimeout(timer);
    await Promise.allSettled(this.#running);
  }

  async #run(key: string, work: Work): Promise<void> {
    clearTimeout(work.timer);
    work.running = true;
    work.again = false;
    const pause = await this.#reconcile(key, work);
    work.running = false;
    if (work.again) this.add(key);
    else if (pause !== undefined && !this.#stopped) work.timer = setTimeout(() => this.add(key), pause);
    else this.#works.delete(key);
  }

  async #reconcile(key: string, work: Work): Promise<number | undefined> {
    try {
      const pause = await this.#options.reconcile(key);
      work.failures = 0;
      return pause;
    } catch (error) {
      if (!this.#stopped) this.#options.onError(key, error);
      work.failures += 1;
      return Math.min(firstPause * 2 ** (work.failures - 1), longestPause);
    }
  }
}
