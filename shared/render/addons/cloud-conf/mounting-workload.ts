import * as z from 'zod';
import { workloadCloudConfig } from './cloud-config-manifest.ts';

/** Annotation of a pod template with the hash of the cloud-config Secret that its pods have read: another one restarts them. */
export const cloudConfigHashAnnotation = 'magnum.openstack.org/cloud-config-hash';

const workloadKinds = z.enum(['DaemonSet', 'Deployment', 'StatefulSet']);

const annotations = z.record(z.string(), z.string()).nullish();
const workload = z.looseObject({
  apiVersion: z.literal('apps/v1'),
  kind: workloadKinds,
  metadata: z.looseObject({ name: z.string(), namespace: z.string() }),
  spec: z.looseObject({
    template: z.looseObject({
      metadata: z.looseObject({ annotations }).nullish(),
      spec: z.looseObject({ volumes: z.array(z.unknown()).default([]) }),
    }),
  }),
});

const secretVolume = z.object({ secret: z.object({ secretName: z.literal(workloadCloudConfig.name) }) });
const projectedVolume = z.object({ projected: z.object({ sources: z.array(z.unknown()) }) });
const projectedSecret = z.object({ secret: z.object({ name: z.literal(workloadCloudConfig.name) }) });

/** A workload of the cluster that mounts `kube-system/cloud-config`. */
export interface MountingWorkload {
  readonly kind: z.infer<typeof workloadKinds>;
  readonly namespace: string;
  readonly name: string;
  /** Of the Secret that its pods have read; null where that is not said. */
  readonly hash: string | null;
}

/** The manifest as such a workload; null where it is none. */
export function mountingWorkload(document: unknown): MountingWorkload | null {
  const parsed = workload.safeParse(document);
  if (!parsed.success) return null;
  const { kind, metadata, spec } = parsed.data;
  if (metadata.namespace !== workloadCloudConfig.namespace || !spec.template.spec.volumes.some(isCloudConfig))
    return null;
  const hash = spec.template.metadata?.annotations?.[cloudConfigHashAnnotation] ?? null;
  return { kind, namespace: metadata.namespace, name: metadata.name, hash };
}

/** The workload with another pod template, so that its pods start again. */
export function restartedFor(document: unknown, hash: string): z.infer<typeof workload> {
  const found = workload.parse(document);
  const { template } = found.spec;
  const templateAnnotations = { ...template.metadata?.annotations, [cloudConfigHashAnnotation]: hash };
  const metadata = { ...template.metadata, annotations: templateAnnotations };
  return { ...found, spec: { ...found.spec, template: { ...template, metadata } } };
}

function isCloudConfig(volume: unknown): boolean {
  if (secretVolume.safeParse(volume).success) return true;
  const projected = projectedVolume.safeParse(volume);
  return projected.success && projected.data.projected.sources.some((one) => projectedSecret.safeParse(one).success);
}
