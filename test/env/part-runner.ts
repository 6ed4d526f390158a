import type { Assets } from './assets.ts';
import { partError } from './control-plane-error.ts';
import type { PartName } from './parts.ts';
import { logPath, type RunFolder } from './run-folder.ts';
import { type ProcessEnd, startReaper } from './start-reaper.ts';

/** The processes of one run. */
export interface PartRunner {
  readonly pids: ReadonlyMap<string, number>;
  /** Aborted, with an error that names the log, when a part ends before `settle` is called. */
  readonly signal: AbortSignal;
  /** Whether a part ended by itself. */
  readonly crashed: boolean;
  start(part: PartName, args: readonly string[], env?: Readonly<Record<string, string>>): void;
  /** From now on the end of a part is told but ends nothing else. */
  settle(): void;
  stop(): Promise<void>;
}

interface RunnerOptions {
  readonly folder: RunFolder;
  readonly assets: Assets;
  readonly onProgress: (line: string) => void;
}

export function createPartRunner({ folder, assets, onProgress }: RunnerOptions): PartRunner {
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
  return {
    pids: reaper.pids,
    signal: controller.signal,
    get crashed() {
      return crashed;
    },
    start: (name, args, extra = {}) => {
      const env = { HOME: folder.data, TMPDIR: folder.data, ...extra };
      reaper.start({ name, command: binary(assets, name), args, env, logPath: logPath(folder, name) });
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
