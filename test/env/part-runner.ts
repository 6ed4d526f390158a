import type { Assets } from './assets.ts';
import { partError } from './control-plane-error.ts';
import type { PartName } from './parts.ts';
import { logPath, type RunFolder } from './run-folder.ts';
import { type ProcessEnd, startReaper } from './start-reaper.ts';
import { waitFor } from './wait-for.ts';

/** The processes of one run. */
export interface PartRunner {
  readonly pids: ReadonlyMap<string, number>;
  /** Aborted, with an error that names the log, when a part ends before `settle` is called. */
  readonly signal: AbortSignal;
  /** Whether a part ended by itself. */
  readonly crashed: boolean;
  start(part: PartName, args: readonly string[], env?: Readonly<Record<string, string>>): void;
  /** Ends a part as a power cut would; once it is gone, returns what starts it again as it was. */
  kill(part: PartName): Promise<() => void>;
  /** From now on the end of a part is told but ends nothing else. */
  settle(): void;
  stop(): Promise<void>;
}

interface RunnerOptions {
  readonly folder: RunFolder;
  readonly assets: Assets;
  readonly gcPercent: number;
  readonly onProgress: (line: string) => void;
}

/** GOGC of real parts where nothing is measured: with a heap four times as large they need a fifth less of the processor. */
export const generousGcPercent = 400;

export function createPartRunner({ folder, assets, gcPercent, onProgress }: RunnerOptions): PartRunner {
  const controller = new AbortController();
  let settled = false;
  let crashed = false;
  const onEnd = (end: ProcessEnd) => {
    crashed ||= end.crashed;
    const what = `${end.name} ended with ${end.how}.`;
    const log = `${folder.logs}/${end.name}.log`;
    settled ? onProgress(`${what} Its log is ${log}`) : controller.abort(partError(what, log));
  };
  const reaper = startReaper({ dataDirectory: folder.data, logPath: logPath(folder, 'reaper'), onEnd });
  const starts = new Map<PartName, () => void>();
  return {
    pids: reaper.pids,
    signal: controller.signal,
    get crashed() {
      return crashed;
    },
    start: (name, args, extra = {}) => {
      const env = { HOME: folder.data, TMPDIR: folder.data, GOGC: String(gcPercent), ...extra };
      const command = { name, command: binary(assets, name), args, env, logPath: logPath(folder, name) };
      starts.set(name, () => reaper.start(command));
      reaper.start(command);
    },
    async kill(name) {
      const startAgain = starts.get(name);
      if (startAgain === undefined) throw new RangeError(`No ${name} was started.`);
      reaper.signal(name, 'SIGKILL');
      const gone = async () => {
        if (reaper.pids.has(name)) throw new Error('it still runs');
      };
      await waitFor(gone, { what: `the end of ${name}` });
      return startAgain;
    },
    settle: () => {
      settled = true;
    },
    stop: () => {
      controller.abort(new Error('The control plane is stopped.'));
      return reaper.stop();
    },
  };
}

function binary(assets: Assets, part: PartName): string {
  const path = assets.get(part);
  if (path === undefined) {
    throw new RangeError(`The assets have no ${part}.`);
  }
  return path;
}
