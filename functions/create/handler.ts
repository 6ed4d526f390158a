import { type EventFunction, eventFunction } from '../../shared/host/event-function.ts';
import { type OperationFunctionOptions, operationEnvironment } from '../../shared/operation/operation-environment.ts';
import { clusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';
import { acceptedEvents, clusterCreateType } from './accepted-events.ts';
import { createCluster } from './create-cluster.ts';
import { createNodegroup } from './create-nodegroup.ts';

export interface CreateFunctionOptions extends OperationFunctionOptions {
  /** Version of the driver; part of the ClusterClass's name. */
  readonly version: string;
}

/** The create function: cluster.create and nodegroup.create. */
export function createFunction(options: CreateFunctionOptions): EventFunction {
  const classes = clusterClassSet(options.version);
  return eventFunction({
    name: 'create',
    accepts: acceptedEvents,
    handle(context, event) {
      const environment = { ...operationEnvironment(options, context), classes };
      return event.type === clusterCreateType ? createCluster(environment, event) : createNodegroup(environment, event);
    },
  });
}
