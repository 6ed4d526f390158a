import { type EventFunction, eventFunction } from '../../shared/host/event-function.ts';
import { type OperationFunctionOptions, operationEnvironment } from '../../shared/operation/operation-environment.ts';
import { acceptedEvents, clusterResizeType } from './accepted-events.ts';
import { resizeCluster } from './resize-cluster.ts';
import { updateNodegroup } from './update-nodegroup.ts';

/** The resize function: cluster.resize and nodegroup.update. */
export function resizeFunction(options: OperationFunctionOptions): EventFunction {
  return eventFunction({
    name: 'resize',
    accepts: acceptedEvents,
    handle(context, event) {
      const environment = operationEnvironment(options, context);
      return event.type === clusterResizeType ? resizeCluster(environment, event) : updateNodegroup(environment, event);
    },
  });
}
