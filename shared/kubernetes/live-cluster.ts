import * as z from 'zod';

const text = z.string();
const texts = z.record(text, text);
const variables = z.array(z.looseObject({ name: text, value: z.json() }));

/** An entry of the topology's machine deployments: what the driver reads of a nodegroup. */
const machineDeploymentEntry = z.looseObject({
  name: text,
  /** Absent where the autoscaler decides. */
  replicas: z.int().optional(),
  metadata: z.looseObject({ labels: texts.optional(), annotations: texts.optional() }).optional(),
  variables: z.looseObject({ overrides: variables.optional() }).optional(),
});

/** What the driver reads of a Cluster (cluster.x-k8s.io/v1beta2), made by this driver or by the original. */
const liveCluster = z.looseObject({
  metadata: z.looseObject({
    name: text,
    uid: text,
    resourceVersion: text,
    labels: texts.default({}),
    annotations: texts.optional(),
    deletionTimestamp: text.optional(),
  }),
  spec: z.looseObject({
    topology: z.looseObject({
      classRef: z.looseObject({ name: text }),
      version: text,
      controlPlane: z.looseObject({ replicas: z.int().optional() }).optional(),
      workers: z.looseObject({ machineDeployments: z.array(machineDeploymentEntry).optional() }).optional(),
      variables: variables.default([]),
    }),
  }),
});

export type LiveCluster = z.infer<typeof liveCluster>;
export type LiveMachineDeployment = z.infer<typeof machineDeploymentEntry>;

/** @throws ZodError for an object that has no topology */
export function parseLiveCluster(object: unknown): LiveCluster {
  return liveCluster.parse(object);
}

/** Where a nodegroup stands in the topology, and its entry; null where it is not there. */
export function findEntry(
  cluster: LiveCluster,
  nodegroup: string,
): { readonly index: number; readonly entry: LiveMachineDeployment } | null {
  const entries = cluster.spec.topology.workers?.machineDeployments ?? [];
  const index = entries.findIndex(({ name }) => name === nodegroup);
  const entry = entries[index];
  return entry === undefined ? null : { index, entry };
}

const liveClusterClass = z.looseObject({
  spec: z.looseObject({ variables: z.array(z.looseObject({ name: text })).default([]) }),
});

/** Names of the variables that a live ClusterClass defines. */
export function classVariables(object: unknown): string[] {
  return liveClusterClass.parse(object).spec.variables.map(({ name }) => name);
}
