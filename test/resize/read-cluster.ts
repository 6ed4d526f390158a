import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { FunctionStage } from '../functions/function-stage.ts';

const entry = z.looseObject({
  name: z.string(),
  replicas: z.int().optional(),
  metadata: z
    .looseObject({
      labels: z.record(z.string(), z.string()).optional(),
      annotations: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  variables: z.looseObject({ overrides: z.array(z.looseObject({ name: z.string(), value: z.unknown() })) }).optional(),
});

const cluster = z.looseObject({
  metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).default({}) }),
  spec: z.looseObject({
    topology: z.looseObject({
      controlPlane: z.looseObject({ replicas: z.int() }),
      workers: z.looseObject({ machineDeployments: z.array(entry).default([]) }),
    }),
  }),
});

export type LiveEntry = z.infer<typeof entry>;

/** The parts of the Cluster that operations change. */
export async function readCluster(stage: FunctionStage, stackId: string) {
  const { metadata, spec } = cluster.parse(await stage.kubernetes.get(resources.cluster, { namespace, name: stackId }));
  const { controlPlane, workers, ...others } = spec.topology;
  return {
    masters: controlPlane.replicas,
    entries: workers.machineDeployments,
    /** What no operation on a nodegroup may touch. */
    others,
    record: (nodegroup: string) =>
      JSON.parse(metadata.annotations[`nodegroup.magnum.openstack.org/${nodegroup}`] ?? 'null'),
  };
}

/** A nodegroup's entry. @throws Error where there is none */
export async function readEntry(stage: FunctionStage, stackId: string, name: string): Promise<LiveEntry> {
  const { entries } = await readCluster(stage, stackId);
  const found = entries.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no nodegroup ${name}.`);
  return found;
}

const rejected = z.object({
  code: z.string(),
  message: z.string(),
  faults: z.array(z.object({ code: z.string(), message: z.string(), field: z.string().optional() })),
});

/** What a rejected operation says. @throws ZodError for any other answer */
export function rejectionOf(answer: { readonly status: number; readonly data: unknown }): z.infer<typeof rejected> {
  return rejected.parse(answer.data);
}
