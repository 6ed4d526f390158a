import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ReaperOrder, type ReaperReport, reaperReport } from './reaper-messages.ts';

export interface ReapedCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly logPath: string;
}

export type ProcessSignal = Extract<ReaperOrder, { readonly kind: 'signal' }>['signal'];

export interface ProcessEnd {
  readonly name: string;
  /** How it ended, e.g. `exit code 1`. */
  readonly how: string;
  /** Whether it ended by itself, rather than by a signal from outside. */
  readonly crashed: boolean;
}

/** Processes that end when this one does, even by SIGKILL. */
export interface Reaper {
  /** Process ids by name, of what was started and has not ended. */
  readonly pids: ReadonlyMap<string, number>;
  start(command: ReapedCommand): void;
  /** Sends a signal to a process, unless it has ended. */
  signal(name: string, signal: ProcessSignal): void;
  /** Ends everything, the reaper included, and returns when all is gone. */
  stop(): Promise<void>;
}

interface ReaperOptions {
  /** What the reaper itself complains about. */
  readonly logPath: string;
  /** Removed by the reaper if this process ends without calling `stop`. */
  readonly dataDirectory: string;
  /** Called for each process that ends while `stop` was not called. */
  readonly onEnd: (end: ProcessEnd) => void;
}

/** Starts a reaper: a process of its own session, which neither Ctrl-C nor a crash of this one reaches. */
export function startReaper(options: ReaperOptions): Reaper {
  const reaper = forkReaper(options);
  const pids = new Map<string, number>();
  let stopping: Promise<void> | undefined;
  const gone = new Promise<void>((resolve) => {
    reaper.once('exit', (code, signal) => {
      if (stopping === undefined) {
        options.onEnd({
          name: 'reaper',
          how: signal === null ? `exit code ${code}` : `signal ${signal}`,
          crashed: true,
        });
      }
      // Nobody else ends them once the reaper itself was killed.
      killAll(pids.values());
      pids.clear();
      resolve();
    });
  });
  reaper.on('message', (message) => {
    const report = reaperReport.parse(message);
    record(report, pids);
    if (report.kind === 'ended' && stopping === undefined) {
      options.onEnd(report);
    }
  });
  return {
    pids,
    start: (command) => order(reaper, { kind: 'start', ...command, args: [...command.args], env: { ...command.env } }),
    signal: (name, signal) => order(reaper, { kind: 'signal', name, signal }),
    stop: () => {
      stopping ??= stop(reaper, gone);
      return stopping;
    },
  };
}

function forkReaper(options: ReaperOptions): ChildProcess {
  const log = openSync(options.logPath, 'a');
  const reaper = fork(fileURLToPath(new URL('reaper.ts', import.meta.url)), [options.dataDirectory], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    // Flags and variables of a test runner are not meant for it.
    execArgv: [],
    env: {},
  });
  closeSync(log);
  return reaper;
}

function record(report: ReaperReport, pids: Map<string, number>): void {
  if (report.kind === 'started') {
    pids.set(report.name, report.pid);
  } else if (report.kind === 'ended') {
    pids.delete(report.name);
  }
}

function order(reaper: ChildProcess, message: ReaperOrder): void {
  if (reaper.connected) {
    reaper.send(message);
  }
}

async function stop(reaper: ChildProcess, gone: Promise<void>): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    reaper.on('message', (message) => {
      if (reaperReport.parse(message).kind === 'stopped') {
        resolve();
      }
    });
  });
  order(reaper, { kind: 'stop' });
  await Promise.race([stopped, gone]);
  if (reaper.connected) {
    reaper.disconnect();
  }
  await gone;
}

function killAll(pids: Iterable<number>): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
