import { expect } from 'vitest';
import type { EventData } from '../../shared/contract/event-types.ts';
import { waitFor } from '../env/wait-for.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import type { MagnumCluster } from '../functions/magnum-cluster.ts';

export type StatusReport = EventData<'org.openstack.magnum.cluster.status.v1'>;

/** Asks once as Magnum does while it waits for the end of a deletion. */
export async function askStatus(stage: FunctionStage, magnum: MagnumCluster): Promise<StatusReport | undefined> {
  return (await stage.send(magnum.requestStatus('DELETE_IN_PROGRESS'))).data as StatusReport | undefined;
}

/** Asks as Magnum does, until the deletion has come to its end. */
export function untilDeleted(stage: FunctionStage, magnum: MagnumCluster): Promise<StatusReport> {
  const probe = async () => {
    const report = await askStatus(stage, magnum);
    expect(report).toMatchObject({ action: 'DELETE', state: 'COMPLETE' });
    return report as StatusReport;
  };
  return waitFor(probe, { what: `the end of ${magnum.uuid}`, timeout: 120_000 });
}
