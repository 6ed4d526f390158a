import { type EventFunction, eventFunction, type FunctionContext } from '../../shared/host/event-function.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { createClusterRepository } from '../../shared/kubernetes/cluster-repository.ts';
import { clusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';
import { acceptedEvents, clusterCreateType } from './accepted-events.ts';
import { createCluster } from './create-cluster.ts';
import { createNodegroup } from './create-nodegroup.ts';
import type { Environment } from './environment.ts';

export interface CreateFunctionOptions {
  readonly kubernetes: KubernetesClient;
  /** Version of the driver; part of the ClusterClass's name. */
  readonly version: string;
  /** Lifetime of the cluster's Lease without renewal. @default 15 */
  readonly leaseSeconds?: number | undefined;
}

/** The create function: cluster.create and nodegroup.create. */
export function createFunction(options: CreateFunctionOptions): EventFunction {
  const classes = clusterClassSet(options.version);
  return eventFunction({
    name: 'create',
    accepts: acceptedEvents,
    handle(context, event) {
      const environment = environmentOf(options, context, classes);
      return event.type === clusterCreateType ? createCluster(environment, event) : createNodegroup(environment, event);
    },
  });
}

function environmentOf(
  options: CreateFunctionOptions,
  context: FunctionContext,
  classes: Environment['classes'],
): Environment {
  const kubernetes = options.kubernetes.observedBy(() => context.calls.count('kubernetes'));
  return {
    kubernetes,
    repository: createClusterRepository(kubernetes),
    classes,
    leaseSeconds: options.leaseSeconds,
    onCloudRequest: () => context.calls.count('openstack'),
    signal: context.signal,
  };
}
