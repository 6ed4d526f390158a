import * as z from 'zod';
import { type ErrorCode, errorCodes } from './errors.ts';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

const fault = z.object({
  code: z.enum(codes),
  /** One readable sentence that names the label or field. */
  message: z.string(),
  field: z.string().optional(),
  hint: z.string().optional(),
});

/** The operation is recorded and will be carried out; its progress comes as `cluster.status` events. */
export const operationAccepted = z.object({
  cluster_uuid: z.string(),
  /** Name of the Cluster object, for Magnum's `stack_id`. */
  stack_id: z.string(),
  /** The nodegroup that the operation is about; null = the cluster. */
  nodegroup: z.string().nullable(),
  /** What the user should know although the request was accepted, one sentence each. */
  notes: z.array(z.string()),
});

/** Nothing was written. `message` joins all faults and is ready for Magnum's `status_reason`. */
export const operationRejected = fault.extend({ faults: z.array(fault).min(1) });

const actions = ['CREATE', 'UPDATE', 'DELETE'] as const;
const states = ['IN_PROGRESS', 'COMPLETE', 'FAILED'] as const;

const progress = {
  /**
   * Id of the event whose operation action, state and reason are about; null = none is recorded, or the record went with a
   * deleted cluster.
   */
  operation: z.string().nullable(),
  /** The open or last operation; null = none is recorded, Magnum's own row says which one is open. */
  action: z.enum(actions).nullable(),
  state: z.enum(states),
  status_reason: z.string().nullable(),
};

/** Everything that Magnum may copy into its rows. */
export const clusterStatus = z.object({
  cluster_uuid: z.string(),
  stack_id: z.string(),
  ...progress,
  api_address: z.string().nullable(),
  coe_version: z.string().nullable(),
  nodegroups: z.array(
    z.object({
      name: z.string(),
      ...progress,
      node_count: z.int().nullable(),
      node_addresses: z.array(z.string()),
    }),
  ),
});

export const clusterHealth = z.object({
  cluster_uuid: z.string(),
  stack_id: z.string(),
  health_status: z.enum(['HEALTHY', 'UNHEALTHY', 'UNKNOWN']),
  health_status_reason: z.record(z.string(), z.string()),
});
