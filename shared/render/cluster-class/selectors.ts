import { resources } from '../../kubernetes/resources.ts';
import type { Selector } from './feature.ts';

/** The class's only worker class; every nodegroup is a machine deployment of it (original-facts §1.2). */
export const workerClass = 'default-worker';

const machineDeploymentClass = { names: [workerClass] };

/** The OpenStackClusterTemplate. */
export const infrastructureCluster: Selector = {
  ...typeOf(resources.openStackClusterTemplate),
  matchResources: { infrastructureCluster: true },
};

/** The KubeadmControlPlaneTemplate. */
export const controlPlane: Selector = {
  ...typeOf(resources.kubeadmControlPlaneTemplate),
  matchResources: { controlPlane: true },
};

/** The KubeadmConfigTemplate of the workers. */
export const workers: Selector = {
  ...typeOf(resources.kubeadmConfigTemplate),
  matchResources: { machineDeploymentClass },
};

/** The OpenStackMachineTemplate of control plane and workers. */
export const allMachines: Selector = {
  ...typeOf(resources.openStackMachineTemplate),
  matchResources: { controlPlane: true, machineDeploymentClass },
};

/** The control plane's OpenStackMachineTemplate. */
export const controlPlaneMachines: Selector = {
  ...typeOf(resources.openStackMachineTemplate),
  matchResources: { controlPlane: true },
};

/** The workers' OpenStackMachineTemplate. */
export const workerMachines: Selector = {
  ...typeOf(resources.openStackMachineTemplate),
  matchResources: { machineDeploymentClass },
};

function typeOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) {
  return { apiVersion, kind };
}
