import * as z from 'zod';

export const identified = z.object({ uuid: z.string() });

/** What tests read of a cluster. */
export const cluster = z.object({
  uuid: z.string(),
  name: z.string(),
  status: z.string(),
  status_reason: z.string().nullable(),
  health_status: z.string().nullable(),
  api_address: z.string().nullable(),
  coe_version: z.string().nullable(),
  node_count: z.int(),
  master_count: z.int(),
  node_addresses: z.array(z.string()),
  master_addresses: z.array(z.string()),
  cluster_template_id: z.string(),
  /** Reasons by name of the nodegroup. */
  faults: z.record(z.string(), z.string().nullable()).nullish(),
});
export type Cluster = z.output<typeof cluster>;

/** What tests read of a nodegroup. */
export const nodegroup = z.object({
  name: z.string(),
  status: z.string(),
  status_reason: z.string().nullable(),
  node_count: z.int(),
  min_node_count: z.int(),
  max_node_count: z.int().nullable(),
  node_addresses: z.array(z.string()),
});
export type Nodegroup = z.output<typeof nodegroup>;

/** One operation of the JSON Patch that Magnum takes. */
export interface ClusterChange {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}
