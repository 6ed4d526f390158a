import { DependencyError } from '../contract/errors.ts';

/** The events that are being handled now: each has its time, and an end of the host waits for all. */
export class InFlight {
  readonly #controllers = new Set<AbortController>();
  #idle = Promise.withResolvers<void>();

  get size(): number {
    return this.#controllers.size;
  }

  /** Resolves when nothing is being handled. */
  async idle(): Promise<void> {
    if (this.#controllers.size > 0) await this.#idle.promise;
  }

  /** Tells everything that is being handled to stop. */
  abort(reason: Error): void {
    for (const controller of this.#controllers) controller.abort(reason);
  }

  /**
   * Starts work and waits for it, but no longer than `milliseconds` nor after an abort; work that goes on still counts.
   * @throws what the work throws, or the reason of the abort
   */
  async run<T>(milliseconds: number, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const late = () => controller.abort(new DependencyError('The function did not finish in time.'));
    const timer = setTimeout(late, milliseconds);
    const aborted = rejectionOf(controller.signal);
    this.#controllers.add(controller);
    const work = start(controller.signal);
    const end = () => this.#end(controller, timer);
    work.then(end, end);
    return await Promise.race([work, aborted]);
  }

  #end(controller: AbortController, timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#controllers.delete(controller);
    if (this.#controllers.size > 0) return;
    this.#idle.resolve();
    this.#idle = Promise.withResolvers();
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
