import * as z from 'zod';
import { isAutoscaled } from '../../nodegroup-metadata.ts';
import { type AutoscalerRelease, autoscalerRelease } from './release.ts';

/** All that the autoscaler's Deployment depends on. It stands on the live Cluster, since a repair knows nothing else. */
export interface AutoscalerFacts {
  readonly stackId: string;
  /** Of the Cluster: the Deployment goes when this very Cluster is gone. */
  readonly clusterUid: string;
  readonly release: AutoscalerRelease;
  /** Registry path without trailing slash. */
  readonly imageRepository: string;
  /** Whether any nodegroup has limits for the autoscaler. */
  readonly isAutoscaled: boolean;
}

const imageRepositoryAnnotation = 'magnum.openstack.org/autoscaler-image-repository';
/** Magnum's own default of `[auto_scaling] image_repository`; for clusters of the original driver, which records none. */
const defaultImageRepository = 'registry.k8s.io/autoscaling';

/**
 * Key and value of the Cluster's annotation with Magnum's option `[auto_scaling] image_repository`. Only the operator says
 * what runs in the management cluster: the label container_infra_prefix, which users set, does not count here.
 */
export function autoscalerImageAnnotation(repository: string): readonly [key: string, value: string] {
  return [imageRepositoryAnnotation, repository.trim().replace(/\/+$/, '') || defaultImageRepository];
}

const annotations = z.record(z.string(), z.string()).optional();

const clusterSchema = z.object({
  metadata: z.object({
    name: z.string().min(1),
    uid: z.string().min(1),
    annotations,
    deletionTimestamp: z.undefined().optional(),
  }),
  spec: z.object({
    topology: z.object({
      version: z.string(),
      workers: z
        .object({
          machineDeployments: z.array(z.object({ metadata: z.object({ annotations }).optional() })).optional(),
        })
        .optional(),
    }),
  }),
});

/** The facts of a live Cluster; null where it is being deleted or is not whole, so that nothing can be said. */
export function autoscalerFacts(cluster: unknown): AutoscalerFacts | null {
  const parsed = clusterSchema.safeParse(cluster);
  if (!parsed.success) return null;
  const { metadata, spec } = parsed.data;
  const release = autoscalerRelease(spec.topology.version);
  if (release === null) return null;
  const entries = spec.topology.workers?.machineDeployments ?? [];
  const [, imageRepository] = autoscalerImageAnnotation(metadata.annotations?.[imageRepositoryAnnotation] ?? '');
  return {
    stackId: metadata.name,
    clusterUid: metadata.uid,
    release,
    imageRepository,
    isAutoscaled: entries.some(isAutoscaled),
  };
}
