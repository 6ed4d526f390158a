import { expect } from 'vitest';
import type { EventData } from '../../shared/contract/event-types.ts';
import { waitFor } from '../env/wait-for.ts';
import { type ClusterChanges, createEvent } from '../functions/create-event.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';

export type StatusReport = EventData<'org.openstack.magnum.cluster.status.v1'>;

export interface CreatedCluster {
  readonly magnum: MagnumCluster;
  readonly uuid: string;
  readonly stackId: string;
}

/** A cluster as a create leaves it; Cluster API has only begun with it. */
export async function newCluster(stage: FunctionStage, changes: ClusterChanges = {}): Promise<CreatedCluster> {
  const magnum = new MagnumCluster(await createEvent(stage.cloud, changes));
  const stackId = acceptedStackId(await stage.send(magnum.creation));
  magnum.created(stackId);
  return { magnum, uuid: magnum.uuid, stackId };
}

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
