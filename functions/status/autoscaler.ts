import { ensureAutoscaler, removeAutoscaler } from '../../shared/kubernetes/autoscaler.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { autoscalerFacts } from '../../shared/render/addons/cluster-autoscaler/autoscaler-facts.ts';
import { stackNames } from '../../shared/render/stack-names.ts';
import { newestOperation, readOperations } from '../../shared/status/operations.ts';

export interface AutoscalerEnvironment {
  readonly kubernetes: KubernetesClient;
  /** Names of the driver's Deployments, where they were listed before (`autoscalerNames`): it saves a call a cluster. */
  readonly deployments?: ReadonlySet<string> | undefined;
}

/**
 * Makes the autoscaler's Deployment what the live Cluster asks for: there and as rendered while any nodegroup is autoscaled,
 * else gone. Nothing is done for a Cluster that is missing, being deleted (its Deployment goes with it) or not whole, for one on
 * which this driver has never worked (the original still installs its own), nor to a Deployment of another driver. A call
 * that finds all well writes nothing.
 * @throws KubernetesError
 */
export async function repairAutoscaler(
  { kubernetes, deployments }: AutoscalerEnvironment,
  cluster: CustomObject | null,
): Promise<void> {
  const facts = autoscalerFacts(cluster);
  const operations = readOperations(cluster?.metadata?.annotations ?? {});
  if (facts === null || newestOperation(operations) === null) return;
  if (facts.isAutoscaled) return ensureAutoscaler(kubernetes, facts);
  const mayBeThere = deployments?.has(stackNames(facts.stackId).autoscaler) ?? true;
  if (mayBeThere) await removeAutoscaler(kubernetes, facts.stackId);
}
