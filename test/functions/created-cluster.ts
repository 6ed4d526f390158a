import { type ClusterChanges, createEvent } from './create-event.ts';
import type { FunctionStage } from './function-stage.ts';
import { MagnumCluster } from './magnum-cluster.ts';
import { acceptedStackId } from './send-event.ts';

/** A cluster as a create leaves it: Cluster API has only begun with it. */
export interface CreatedCluster {
  /** Magnum's side of it. */
  readonly magnum: MagnumCluster;
  readonly uuid: string;
  readonly stackId: string;
}

/** Creates a cluster by an event, as Magnum does. */
export async function createCluster(stage: FunctionStage, changes: ClusterChanges = {}): Promise<CreatedCluster> {
  const magnum = new MagnumCluster(await createEvent(stage.cloud, changes));
  const stackId = acceptedStackId(await stage.send(magnum.creation));
  magnum.created(stackId);
  return { magnum, uuid: magnum.uuid, stackId };
}
