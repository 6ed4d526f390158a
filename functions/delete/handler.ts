import { type EventFunction, eventFunction } from '../../shared/host/event-function.ts';
import { type OperationFunctionOptions, operationEnvironment } from '../../shared/operation/operation-environment.ts';
import { acceptedEvents, clusterDeleteType } from './accepted-events.ts';
import { deleteCluster } from './delete-cluster.ts';
import { deleteNodegroup } from './delete-nodegroup.ts';

/** The delete function: cluster.delete and nodegroup.delete. */
export function deleteFunction(options: OperationFunctionOptions): EventFunction {
  return eventFunction({
    name: 'delete',
    accepts: acceptedEvents,
    handle(context, event) {
      const environment = operationEnvironment(options, context);
      return event.type === clusterDeleteType
        ? deleteCluster({ ...environment, log: context.log }, event)
        : deleteNodegroup(environment, event);
    },
  });
}
