import { type EventFunction, eventFunction } from '../../shared/host/event-function.ts';
import type { OperationFunctionOptions } from '../../shared/operation/operation-environment.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { acceptedEvents } from './accepted-events.ts';

/** The resize function: cluster.resize and nodegroup.update. */
export function resizeFunction(_options: OperationFunctionOptions): EventFunction {
  return eventFunction({
    name: 'resize',
    accepts: acceptedEvents,
    async handle(_context, event) {
      throw rejection('unsupported', `${event.type} is not supported.`);
    },
  });
}
