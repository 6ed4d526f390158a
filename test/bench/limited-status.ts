import * as z from 'zod';
import { readManifests } from '../../local/manifests/read-manifests.ts';
import type { FunctionProcess, FunctionProcessOptions } from '../functions/function-process.ts';
import { createGroup, type LimitedGroup } from './cgroup.ts';
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
export async function startLimitedStatus(
  { functions }: Pick<WatchStage, 'functions'>,
  { launcher = [], ...options }: Partial<FunctionProcessOptions> = {},
): Promise<LimitedStatus> {
  const limit = await memoryOfService();
  const group = await createGroup({ controller: 'memory', amount: limit }).catch((error: unknown) => reasonOf(error));
  const isLimited = typeof group !== 'string';
  const process = await start(isLimited ? group : undefined);
  return {
    process,
    note: isLimited
      ? `The function had the ${limit / mebibyte} MiB of its Service.`
      : `${group} The function had all memory of the machine.`,
    async stop() {
      await process.stop('SIGKILL');
      if (isLimited) await group.remove();
    },
  };

  async function start(within: LimitedGroup | undefined): Promise<FunctionProcess> {
    try {
      const launchers = [...(within?.launcher ?? []), ...launcher];
      return await functions.startAnother('status', { ...options, launcher: launchers });
    } catch (error) {
      await within?.remove();
      throw error;
    }
  }
}

const mebibyte = 2 ** 20;

const service = z.object({
  kind: z.literal('Service'),
  metadata: z.object({ name: z.literal('magnum-status') }),
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.tuple([
          z.object({ resources: z.object({ limits: z.object({ memory: z.string().regex(/^\d+Mi$/) }) }) }),
        ]),
      }),
    }),
  }),
});

/** Bytes. */
async function memoryOfService(): Promise<number> {
  for (const manifest of await readManifests()) {
    const { data } = service.safeParse(manifest);
    if (data === undefined) continue;
    return Number.parseInt(data.spec.template.spec.containers[0].resources.limits.memory, 10) * mebibyte;
  }
  throw new Error('knative/base has no Service magnum-status with a limit of memory in Mi.');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
