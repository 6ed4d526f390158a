import * as z from 'zod';

const text = z.string();

/** What the driver reads of a Cluster (cluster.x-k8s.io/v1beta2), made by this driver or by the original. */
const liveCluster = z.looseObject({
  metadata: z.looseObject({
    name: text,
    uid: text,
    resourceVersion: text,
    labels: z.record(text, text).default({}),
    annotations: z.record(text, text).optional(),
    deletionTimestamp: text.optional(),
  }),
  spec: z.looseObject({
    topology: z.looseObject({
      classRef: z.looseObject({ name: text }),
      workers: z.looseObject({ machineDeployments: z.array(z.looseObject({ name: text })).optional() }).optional(),
      variables: z.array(z.looseObject({ name: text, value: z.json() })).default([]),
    }),
  }),
});

export type LiveCluster = z.infer<typeof liveCluster>;

/** @throws ZodError for an object that has no topology */
export function parseLiveCluster(object: unknown): LiveCluster {
  return liveCluster.parse(object);
}

const liveClusterClass = z.looseObject({
  spec: z.looseObject({ variables: z.array(z.looseObject({ name: text })).default([]) }),
});

/** Names of the variables that a live ClusterClass defines. */
export function classVariables(object: unknown): string[] {
  return liveClusterClass.parse(object).spec.variables.map(({ name }) => name);
}
