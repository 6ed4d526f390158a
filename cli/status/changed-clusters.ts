import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds in which changes are gathered before somebody looks: they come in bursts. */
const window = 300;

/** What has changed since somebody looked last. */
export interface Changes {
  /** Stack ids; null = any cluster may have. */
  readonly clusters: ReadonlySet<string> | null;
}

/** Gathers changes until they are taken. */
export class ChangedClusters {
  #clusters = new Set<string>();
  #isAll = false;
  #wake = Promise.withResolvers<void>();

  add(stackId: string): void {
    this.#clusters.add(stackId);
    this.#wake.resolve();
  }

  /** Anything may have changed. */
  addAll(): void {
    this.#isAll = true;
    this.#wake.resolve();
  }

  /** Waits for the first change and for those that come with it; undefined once the signal aborts. */
  async take(signal: AbortSignal): Promise<Changes | undefined> {
    await this.#untilWoken(signal);
    if (!signal.aborted) await sleep(window, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
    const changes = { clusters: this.#isAll ? null : this.#clusters };
    this.#clusters = new Set();
    this.#isAll = false;
    this.#wake = Promise.withResolvers<void>();
    return changes;
  }

  async #untilWoken(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    signal.addEventListener('abort', end);
    if (!signal.aborted) await Promise.race([this.#wake.promise, promise]);
    // The signal lives as long as the command, and this is done at every change.
    signal.removeEventListener('abort', end);
  }
}
