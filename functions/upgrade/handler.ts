import { type EventFunction, eventFunction } from '../../shared/host/event-function.ts';
import type { OperationFunctionOptions } from '../../shared/operation/operation-environment.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { acceptedEvents } from './accepted-events.ts';

/** The upgrade function: cluster.upgrade and cluster.credential.rotate; what is unsupported is rejected. */
export function upgradeFunction(_options: OperationFunctionOptions): EventFunction {
  return eventFunction({
    name: 'upgrade',
    accepts: acceptedEvents,
    async handle(_context, event) {
      throw rejection('unsupported', `${event.type} is not supported.`);
    },
  });
}
