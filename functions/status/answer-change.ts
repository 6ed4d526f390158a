import type * as z from 'zod';
import type { objectReference } from '../../shared/contract/requests.ts';
import type { CloudEventOut } from '../../shared/host/cloud-event.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { stackIdOfObject } from '../../shared/magnum/stack-id.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { computeStatus } from './compute-status.ts';
import type { Environment } from './environment.ts';
import { keepAutoscaler } from './keep-autoscaler.ts';
import { statusReply } from './status-reply.ts';

/**
 * Reports the cluster that a changed object belongs to. Of the events that share a computation, one carries the report.
 * @throws BusyError, DependencyError
 */
export async function answerChange(
  environment: Environment,
  object: z.output<typeof objectReference>,
): Promise<CloudEventOut | undefined> {
  const stackId = object.namespace === namespace ? stackIdOfObject(object.name) : null;
  if (stackId === null) return undefined;
  if (object.kind === resources.deployment.kind) return repair(environment, stackId);
  const { result, claim } = await computeStatus(environment, stackId, 'completion and report');
  if (result.derived === null || !claim()) return undefined;
  return statusReply(result.derived.report, result.begun);
}

/** The autoscaler's Deployment says nothing about the cluster. */
async function repair(environment: Environment, stackId: string): Promise<undefined> {
  await environment.repairs.join(stackId, {
    signal: environment.signal,
    async compute(signal) {
      const cluster = await environment.kubernetes.find(resources.cluster, { namespace, name: stackId }, { signal });
      await keepAutoscaler({ ...environment, signal }, cluster ?? null);
    },
  });
}
