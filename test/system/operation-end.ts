import { parseRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';
import type { SystemStage } from './system-stage.ts';

export interface OperationEnd {
  readonly stackId: string;
  readonly events: readonly { readonly id: string; readonly type: string }[];
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Waits until operations are recorded as complete; a report alone may still be about the one before.
 * @throws Error that shows the last report where they are not in time
 */
export function waitForEnd(
  { kubernetes, reports }: Pick<SystemStage, 'kubernetes' | 'reports'>,
  { stackId, events, timeout }: OperationEnd,
): Promise<void> {
  const probe = async () => {
    const { metadata } = await kubernetes.get(resources.cluster, { namespace, name: stackId });
    const records = Object.values(metadata?.annotations ?? {}).map((text) => parseRecord(text));
    for (const { id, type } of events) {
      const record = records.find((one) => one?.id === id);
      if (record?.completed) continue;
      throw new Error(
        `${type} ${id} is not complete, and the last report is ${JSON.stringify(reports.statuses(stackId).at(-1))}`,
      );
    }
  };
  return waitFor(probe, { what: `the end of ${events.map(({ type }) => type)} of ${stackId}`, timeout });
}
