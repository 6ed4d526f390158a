import * as z from 'zod';
import { isAutoscaled } from '../../nodegroup-metadata.ts';
import { type NodeSelector, nodeSelector, selectorText } from './node-selector.ts';
import { type AutoscalerRelease, autoscalerRelease } from './release.ts';

/** All that the autoscaler's Deployment depends on. It stands on the live Cluster, since a repair knows nothing else. */
export interface AutoscalerFacts {
  readonly stackId: string;
  /** Of the Cluster: the Deployment goes when this very Cluster is gone. */
  readonly clusterUid: string;
  readonly release: AutoscalerRelease;
  /** Registry path without trailing slash. */
  readonly imageRepository: string;
  /** Labels of the nodes on which it may run; none = any, preferably those of OpenStack's control plane. */
  readonly nodeSelector: NodeSelector;
  /** Whether any nodegroup has limits for the autoscaler. */
  readonly isAutoscaled: boolean;
}

/** Magnum's options `[auto_scaling]`. */
export interface AutoscalerOptions {
  readonly image_repository: string;
  readonly node_selector: string;
}

const nodeSelectorAnnotation = 'magnum.openstack.org/autoscaler-node-selector';
const imageRepositoryAnnotation = 'magnum.openstack.org/autoscaler-image-repository';
/** Magnum's own default of `[auto_scaling] image_repository`; for clusters of the original driver, which records none. */
const defaultImageRepository = 'registry.k8s.io/autoscaling';

/**
 * The Cluster's annotations with Magnum's options; null = there is to be none. A selector that cannot be read is left out, so
 * that what is recorded stays. Only the operator says what runs in the management cluster: the label container_infra_prefix,
 * which users set, does not count here.
 */
export function autoscalerOptionAnnotations(options: AutoscalerOptions): Readonly<Record<string, string | null>> {
  const selector = nodeSelector(options.node_selector);
  return {
    [imageRepositoryAnnotation]: imageRepository(options.image_repository),
    ...('value' in selector ? { [nodeSelectorAnnotation]: selectorText(selector.value) || null } : {}),
  };
}

/** The same for a Cluster that is still to be made. */
export function newAutoscalerAnnotations(options: AutoscalerOptions): Readonly<Record<string, string>> {
  const entries = Object.entries(autoscalerOptionAnnotations(options));
  return Object.fromEntries(entries.flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}

function imageRepository(option: string): string {
  return option.trim().replace(/\/+$/, '') || defaultImageRepository;
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
  const selector = nodeSelector(metadata.annotations?.[nodeSelectorAnnotation] ?? '');
  return {
    stackId: metadata.name,
    clusterUid: metadata.uid,
    release,
    imageRepository: imageRepository(metadata.annotations?.[imageRepositoryAnnotation] ?? ''),
    nodeSelector: 'value' in selector ? selector.value : {},
    isAutoscaled: entries.some(isAutoscaled),
  };
}
