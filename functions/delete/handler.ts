import { type EventFunction, eventFunction } from '../../shared/host/event-function.ts';
import { type OperationFunctionOptions, operationEnvironment } from '../../shared/operation/operation-environment.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { acceptedEvents, nodegroupDeleteType } from './accepted-events.ts';
import { deleteNodegroup } from './delete-nodegroup.ts';

/** The delete function: cluster.delete and nodegroup.delete. */
export function deleteFunction(options: OperationFunctionOptions): EventFunction {
  return eventFunction({
    name: 'delete',
    accepts: acceptedEvents,
    async handle(context, event) {
      const environment = operationEnvironment(options, context);
      if (event.type === nodegroupDeleteType) return deleteNodegroup(environment, event);
      throw rejection('unsupported', `${event.type} is not supported.`);
    },
  });
}
