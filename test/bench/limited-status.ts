import { readManifests } from '../../local/manifests/read-manifests.ts';
import { startOrUndo } from '../../local/start-or-undo.ts';
import type { FunctionProcess, FunctionProcessOptions } from '../functions/function-process.ts';
import { servicesOf } from '../knative/services.ts';
import { createGroup } from './cgroup.ts';
import type { WatchStage } from './watch-stage.ts';

/** A status function that is measured. */
export interface LimitedStatus {
  readonly process: FunctionProcess;
  /** A sentence on the memory that it may have. */
  readonly note: string;
  stop(): Promise<void>;
}

/**
 * Starts a status function with no more memory than its Service gives it, where this machine allows such groups. V8 sizes its
 * young generation by what is there: with all of a large machine it takes tens of MB that it would not have in production.
 */
export function startLimitedStatus(
  { functions }: Pick<WatchStage, 'functions'>,
  options: Partial<FunctionProcessOptions> = {},
): Promise<LimitedStatus> {
  return startOrUndo(async (undo) => {
    const mebibytes = await memoryOfService();
    const group = await createGroup({ controller: 'memory', amount: mebibytes * 2 ** 20 }).catch(
      (error: Error) => error,
    );
    const isLimited = !(group instanceof Error);
    if (isLimited) undo.push(() => group.remove());
    const launcher = [...(isLimited ? group.launcher : []), ...(options.launcher ?? [])];
    const process = await functions.startAnother('status', { ...options, launcher });
    undo.push(() => process.stop('SIGKILL'));
    const note = isLimited
      ? `The function had the ${mebibytes} MiB of its Service.`
      : `${group.message} The function had all memory of the machine.`;
    return { process, note };
  });
}

/** MiB. */
async function memoryOfService(): Promise<number> {
  const service = servicesOf(await readManifests()).find(({ metadata }) => metadata.name === 'magnum-status');
  const limit = service?.spec.template.spec.containers[0].resources.limits['memory'] ?? '';
  const [, mebibytes] = /^(\d+)Mi$/.exec(limit) ?? [];
  if (mebibytes === undefined)
    throw new Error('knative/base has no Service magnum-status with a limit of memory in Mi.');
  return Number(mebibytes);
}
