import type { ServiceCloud } from '../cloud/service-session.ts';
import type { FunctionContext } from '../host/event-function.ts';
import type { KubernetesClient } from '../kubernetes/client.ts';
import { type ClusterRepository, createClusterRepository } from '../kubernetes/cluster-repository.ts';
import { cloudObserver } from '../telemetry/observe-calls.ts';

/** What carrying out one operation needs from outside, whichever it is. */
export interface OperationEnvironment {
  readonly kubernetes: KubernetesClient;
  readonly repository: ClusterRepository;
  readonly leaseSeconds: number | undefined;
  readonly onCloudRequest: () => void;
  /** The functions' own credential; undefined where there is none. */
  readonly serviceCloud: ServiceCloud | undefined;
  readonly now: () => Date;
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}

export interface OperationFunctionOptions {
  readonly kubernetes: KubernetesClient;
  /** Lifetime of the cluster's Lease without renewal. @default 15 */
  readonly leaseSeconds?: number | undefined;
  /** The functions' own credential. @default none */
  readonly serviceCloud?: ServiceCloud | undefined;
}

/** The environment of one event, whose calls are counted. */
export function operationEnvironment(
  options: OperationFunctionOptions,
  context: FunctionContext,
): OperationEnvironment {
  const kubernetes = options.kubernetes.observedBy(() => context.calls.count('kubernetes'));
  return {
    kubernetes,
    repository: createClusterRepository(kubernetes),
    leaseSeconds: options.leaseSeconds,
    onCloudRequest: cloudObserver(context.calls),
    serviceCloud: options.serviceCloud,
    now: context.now,
    signal: context.signal,
  };
}
