import { join } from 'node:path';
import { partError } from '../env/control-plane-error.ts';
import { type ProcessEnd, type ReapedCommand, startReaper } from '../env/start-reaper.ts';

/** A command; its log is named after it. */
export type CloudCommand = Pick<ReapedCommand, 'name' | 'command' | 'args'> & {
  readonly env?: Readonly<Record<string, string>>;
};

/** The processes of one cloud, which end at the latest with this one. */
export interface CloudProcesses {
  /** Aborted, with an error that names the log, when a process that should go on has ended. */
  readonly signal: AbortSignal;
  /** Starts what goes on until `stop`. */
  start(command: CloudCommand): void;
  /** Runs a command to its end. @throws {ControlPlaneError} with the end of its log when it fails */
  run(command: CloudCommand): Promise<void>;
  /** Ends what `start` has started as a power cut would; once it is gone, returns what starts it again as it was. */
  kill(name: string): Promise<() => void>;
  stop(): Promise<void>;
}

/** @param folder Has `logs`; `data` in it is removed when this process ends without `stop`. */
export function startCloudProcesses(folder: string): CloudProcesses {
  const failure = new AbortController();
  const running = new Map<string, (end: ProcessEnd) => void>();
  const started = new Map<string, CloudCommand>();
  const logOf = (name: string) => join(folder, 'logs', `${name}.log`);
  const failed = ({ name, how }: ProcessEnd) => partError(`${name} ended with ${how}.`, logOf(name));
  const reaper = startReaper({
    dataDirectory: join(folder, 'data'),
    logPath: logOf('reaper'),
    onEnd: (end) => (running.get(end.name) ?? (() => failure.abort(failed(end))))(end),
  });
  const start = ({ env = {}, ...command }: CloudCommand) => {
    const surroundings = { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: join(folder, 'data') };
    const python = { PYTHONWARNINGS: 'ignore', PYTHONUNBUFFERED: '1' };
    reaper.start({ ...command, env: { ...surroundings, ...python, ...env }, logPath: logOf(command.name) });
  };
  const endOf = async (name: string, cause: () => void): Promise<ProcessEnd> => {
    const ended = new Promise<ProcessEnd>((resolve) => running.set(name, resolve));
    cause();
    const end = await ended;
    running.delete(name);
    return end;
  };
  return {
    signal: failure.signal,
    start(command) {
      started.set(command.name, command);
      start(command);
    },
    async run(command) {
      const end = await endOf(command.name, () => start(command));
      if (end.how !== 'exit code 0') throw failed(end);
    },
    async kill(name) {
      const command = started.get(name);
      if (command === undefined || !reaper.pids.has(name)) throw new RangeError(`No ${name} runs.`);
      await endOf(name, () => reaper.signal(name, 'SIGKILL'));
      return () => start(command);
    },
    stop: () => reaper.stop(),
  };
}
