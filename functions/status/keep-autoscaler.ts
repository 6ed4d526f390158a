import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { type AutoscalerEnvironment, repairAutoscaler } from './autoscaler.ts';
import type { Environment } from './environment.ts';

/** Repairs the autoscaler of a cluster. Reports do not wait for what fails: the next resync tries it again. */
export async function keepAutoscaler(
  environment: Environment & AutoscalerEnvironment,
  cluster: CustomObject | null,
): Promise<void> {
  try {
    await repairAutoscaler(environment, cluster);
  } catch (error) {
    environment.signal.throwIfAborted();
    environment.log.warn({ err: error, stack_id: cluster?.metadata?.name }, 'an autoscaler could not be repaired');
  }
}
