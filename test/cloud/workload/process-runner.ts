import { join } from 'node:path';
import { type ControlPlaneError, partError } from '../../env/control-plane-error.ts';
import { type ProcessEnd, startReaper } from '../../env/start-reaper.ts';
import { waitFor } from '../../env/wait-for.ts';
import type { ClusterFolder } from './cluster-folder.ts';

/** Milliseconds. */
const probeInterval = 500;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** The processes of one cluster; each ends at the latest with this one. */
export interface ProcessRunner {
  isRunning(name: string): boolean;
  /** Starts a process, unless one of the name runs. */
  start(name: string, command: Command): void;
  /** Ends a process as a power cut would, and returns when it is gone. */
  kill(name: string): Promise<void>;
  pause(name: string): void;
  resume(name: string): void;
  /**
   * Repeats a probe until it succeeds.
   * @throws {ControlPlaneError} that names the process's log, when the process ends or time is up.
   */
  waitFor<T>(name: string, probe: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
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

export function createProcessRunner({ folder, onProgress }: RunnerOptions): ProcessRunner {
  const running = new Map<string, Running>();
  const log = (name: string) => join(folder.logs, `${name}.log`);
  const onEnd = ({ name, how }: ProcessEnd) => {
    const process = running.get(name);
    running.delete(name);
    const error = partError(`${name} ended with ${how}.`, log(name));
    process?.controller.abort(error);
    process?.ended.resolve();
    if (!process?.killed) {
      onProgress(`${name} ended with ${how}, its log is ${log(name)}`);
    }
  };
  const reaper = startReaper({ dataDirectory: folder.data, logPath: log('reaper'), onEnd });
  return {
    isRunning: (name) => running.has(name),
    start: (name, { command, args }) => {
      if (!running.has(name)) {
        running.set(name, { ended: Promise.withResolvers(), controller: new AbortController(), killed: false });
        reaper.start({ name, command, args, env: { HOME: folder.data, TMPDIR: folder.data }, logPath: log(name) });
      }
    },
    kill: async (name) => {
      const process = running.get(name);
      if (process !== undefined) {
        process.killed = true;
        reaper.signal(name, 'SIGKILL');
        await process.ended.promise;
      }
    },
    pause: (name) => reaper.signal(name, 'SIGSTOP'),
    resume: (name) => reaper.signal(name, 'SIGCONT'),
    waitFor: async (name, probe) => {
      const signal = running.get(name)?.controller.signal;
      if (signal === undefined) {
        throw partError(`${name} does not run.`, log(name));
      }
      return await waitForProcess(probe, { name, signal, log: log(name) });
    },
    stop: async () => {
      for (const [name, process] of running) {
        process.killed = true;
        reaper.signal(name, 'SIGKILL');
      }
      await reaper.stop();
      const stopped = new Error('The workload cluster is stopped.');
      for (const { controller, ended } of running.values()) {
        controller.abort(stopped);
        ended.resolve();
      }
      running.clear();
    },
  };
}

interface Wait {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly log: string;
}

async function waitForProcess<T>(probe: () => Promise<T>, { name, signal, log }: Wait): Promise<T> {
  try {
    return await waitFor(probe, { what: `${name} to be ready`, interval: probeInterval, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw notReady(error, log);
  }
}

function notReady(error: unknown, log: string): ControlPlaneError {
  return partError(error instanceof Error ? error.message : String(error), log, error);
}
