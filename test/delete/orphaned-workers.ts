import { randomUUID } from 'node:crypto';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { FunctionStage } from '../functions/function-stage.ts';

interface Owner {
  readonly stackId: string;
  /** Of the Cluster that is gone. */
  readonly clusterUid: string;
}

/** A MachineDeployment and a MachineSet as Cluster API makes them, when their Cluster is gone already. */
export async function makeWorkers({ kubernetes }: FunctionStage, { stackId, clusterUid }: Owner): Promise<void> {
  const { apiVersion, kind } = resources.cluster;
  const cluster = { apiVersion, kind, name: stackId, uid: clusterUid };
  const deployment = workers({ type: resources.machineDeployment, stackId, owner: cluster });
  const { metadata } = await kubernetes.create(resources.machineDeployment, deployment);
  const { apiVersion: version, kind: owning } = resources.machineDeployment;
  const owner = { apiVersion: version, kind: owning, name: `${stackId}-late`, uid: metadata?.uid ?? '' };
  await kubernetes.create(resources.machineSet, workers({ type: resources.machineSet, stackId, owner }));
}

interface Workers {
  readonly type: typeof resources.machineSet;
  readonly stackId: string;
  readonly owner: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid: string };
}

function workers({ type: { apiVersion, kind }, stackId, owner }: Workers) {
  const labels = {
    'cluster.x-k8s.io/cluster-name': stackId,
    'topology.cluster.x-k8s.io/owned': '',
    'topology.cluster.x-k8s.io/deployment-name': 'late',
  };
  const lower = kind.toLowerCase();
  return {
    apiVersion,
    kind,
    metadata: {
      name: `${stackId}-late`,
      namespace,
      labels,
      finalizers: [`${lower}.topology.cluster.x-k8s.io`, `cluster.x-k8s.io/${lower}`],
      ownerReferences: [owner],
    },
    spec: {
      clusterName: stackId,
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          clusterName: stackId,
          version: 'v1.33.4',
          bootstrap: { dataSecretName: `${stackId}-late` },
          infrastructureRef: {
            apiGroup: 'infrastructure.cluster.x-k8s.io',
            kind: 'OpenStackMachineTemplate',
            name: `${stackId}-late`,
          },
        },
      },
    },
  };
}

/** The event that a MachineDeployment has changed. */
export function changeOf(name: string) {
  const { apiVersion, kind } = resources.machineDeployment;
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: '/test',
    type: 'dev.knative.apiserver.ref.update',
    data: { apiVersion, kind, name, namespace },
  };
}
