import { join } from 'node:path';
import { partError } from '../../env/control-plane-error.ts';
import { generousGcPercent } from '../../env/part-runner.ts';
import { type ProcessEnd, type Reaper, startReaper } from '../../env/start-reaper.ts';
import { waitFor } from '../../env/wait-for.ts';
import type { ClusterFolder } from './cluster-folder.ts';

/** Milliseconds. */
const probeInterval = 500;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

interface RunnerOptions {
  readonly folder: ClusterFolder;
  readonly onProgress: (line: string) => void;
}

interface Running {
  readonly ended: PromiseWithResolvers<void>;
  readonly controller: AbortController;
  killed: boolean;
}

/** The processes of one cluster; each ends at the latest with this one. */
export class ProcessRunner {
  readonly #options: RunnerOptions;
  readonly #reaper: Reaper;
  readonly #running = new Map<string, Running>();
  #stopped = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    const onEnd = (end: ProcessEnd) => this.#onEnd(end);
    this.#reaper = startReaper({ dataDirectory: options.folder.data, logPath: this.#log('reaper'), onEnd });
  }

  isRunning(name: string): boolean {
    return this.#running.has(name);
  }

  /** Starts a process, unless one of the name runs. */
  start(name: string, { command, args }: Command): void {
    if (this.#stopped) {
      throw stopped();
    }
    if (!this.#running.has(name)) {
      const { data } = this.#options.folder;
      this.#running.set(name, { ended: Promise.withResolvers(), controller: new AbortController(), killed: false });
      const env = { HOME: data, TMPDIR: data, GOGC: String(generousGcPercent) };
      this.#reaper.start({ name, command, args, env, logPath: this.#log(name) });
    }
  }

  /** Ends a process as a power cut would, and returns when it is gone. */
  async kill(name: string): Promise<void> {
    const process = this.#running.get(name);
    if (process !== undefined) {
      process.killed = true;
      this.#reaper.signal(name, 'SIGKILL');
      await process.ended.promise;
    }
  }

  pause(name: string): void {
    this.#reaper.signal(name, 'SIGSTOP');
  }

  resume(name: string): void {
    this.#reaper.signal(name, 'SIGCONT');
  }

  /**
   * Repeats a probe until it succeeds.
   * @throws {ControlPlaneError} that names the process's log, when the process ends or time is up.
   */
  async waitFor<T>(name: string, probe: () => Promise<T>): Promise<T> {
    const signal = this.#running.get(name)?.controller.signal;
    if (signal === undefined) {
      throw partError(`${name} does not run.`, this.#log(name));
    }
    try {
      return await waitFor(probe, { what: `${name} to be ready`, interval: probeInterval, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw partError(error instanceof Error ? error.message : String(error), this.#log(name), error);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const [name, process] of this.#running) {
      process.killed = true;
      this.#reaper.signal(name, 'SIGKILL');
    }
    await this.#reaper.stop();
    for (const { controller, ended } of this.#running.values()) {
      controller.abort(stopped());
      ended.resolve();
    }
    this.#running.clear();
  }

  #onEnd({ name, how }: ProcessEnd): void {
    const process = this.#running.get(name);
    this.#running.delete(name);
    process?.controller.abort(partError(`${name} ended with ${how}.`, this.#log(name)));
    process?.ended.resolve();
    if (process?.killed !== true) {
      this.#options.onProgress(`${name} ended with ${how}, its log is ${this.#log(name)}`);
    }
  }

  #log(name: string): string {
    return join(this.#options.folder.logs, `${name}.log`);
  }
}

function stopped(): Error {
  return new Error('The workload cluster is stopped.');
}
