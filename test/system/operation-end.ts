import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { parseRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';

export interface OperationEnd {
  readonly stackId: string;
  readonly events: readonly { readonly id: string; readonly type: string }[];
  /** Milliseconds. */
  readonly timeout: number;
}

/** Waits until operations are recorded as complete; a report alone may still be about the one before. */
export function waitForEnd(kubernetes: KubernetesClient, { stackId, events, timeout }: OperationEnd): Promise<void> {
  const probe = async () => {
    const { metadata } = await kubernetes.get(resources.cluster, { namespace, name: stackId });
    const records = Object.values(metadata?.annotations ?? {}).map((text) => parseRecord(text));
    for (const { id, type } of events) {
      const record = records.find((one) => one?.id === id);
      if (!record?.completed) throw new Error(`${type} ${id} is not complete`);
    }
  };
  return waitFor(probe, { what: `the end of ${events.map(({ type }) => type)} of ${stackId}`, timeout });
}
