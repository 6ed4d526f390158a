import * as z from 'zod';

/** An object of which every field may be missing or anything else; each has its own value for that. */
function lenient<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.object(shape);
  return schema.catch(() => schema.parse({}));
}

const text = z.string().catch('');
const labels = z.record(z.string(), z.string()).catch({});
const conditions = z.array(lenient({ type: text, status: text })).catch([]);

/** What the health of a cluster needs of its Cluster (cluster.x-k8s.io/v1beta2). */
export const clusterHealthView = lenient({
  metadata: lenient({ name: text, labels, deletionTimestamp: text }),
  spec: lenient({
    controlPlaneEndpoint: lenient({ host: text, port: z.int().min(1).max(65_535).catch(0) }),
  }),
  status: lenient({
    conditions,
    controlPlane: lenient({ desiredReplicas: z.int().min(0).catch(0) }),
  }),
});

/** What it needs of a Machine. Parsed once more it stays the same, so it also stands for a large one in memory. */
export const machineHealthView = lenient({
  metadata: lenient({ name: text, labels, deletionTimestamp: text }),
  spec: lenient({ infrastructureRef: lenient({ name: text }) }),
  status: lenient({ conditions }),
});

type ClusterHealthView = z.output<typeof clusterHealthView>;
export type MachineHealthView = z.output<typeof machineHealthView>;

/** Whether an object says that a condition holds; one that is missing or Unknown does not. */
export function isTrue({ status }: ClusterHealthView | MachineHealthView, type: string): boolean {
  return status.conditions.some((condition) => condition.type === type && condition.status === 'True');
}
