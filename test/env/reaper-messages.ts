import * as z from 'zod';

/** From the owner of the processes to the reaper. */
export const reaperOrder = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    name: z.string(),
    command: z.string(),
    args: z.array(z.string()),
    env: z.record(z.string(), z.string()),
    /** Standard output and error are appended here. */
    logPath: z.string(),
  }),
  z.object({ kind: z.literal('signal'), name: z.string(), signal: z.enum(['SIGKILL', 'SIGSTOP', 'SIGCONT']) }),
  z.object({ kind: z.literal('stop') }),
]);
export type ReaperOrder = z.infer<typeof reaperOrder>;

/** From the reaper to the owner. */
export const reaperReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started'), name: z.string(), pid: z.int() }),
  z.object({
    kind: z.literal('ended'),
    name: z.string(),
    /** How it ended, e.g. `exit code 1`, `signal SIGKILL`, `spawn ENOEXEC`. */
    how: z.string(),
    /** Whether it ended by itself, rather than by a signal from outside. */
    crashed: z.boolean(),
  }),
  z.object({ kind: z.literal('stopped') }),
]);
export type ReaperReport = z.infer<typeof reaperReport>;
