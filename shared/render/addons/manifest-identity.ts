import * as z from 'zod';

/** Which object of the workload cluster a manifest is about. */
export interface ManifestIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** null where the kind has none. */
  readonly namespace: string | null;
}

const manifest = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string(), namespace: z.string().nullish() }),
});

/** null where the document is no manifest. */
export function manifestIdentity(document: unknown): ManifestIdentity | null {
  const parsed = manifest.safeParse(document);
  if (!parsed.success) return null;
  const { apiVersion, kind, metadata } = parsed.data;
  return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace ?? null };
}

/** Kinds that hold what users or the cluster made, or that users refer to: they outlive the release that brought them. */
const kept: ReadonlySet<string> = new Set([
  'CustomResourceDefinition',
  'Namespace',
  'Secret',
  'StorageClass',
  'VolumeSnapshotClass',
]);

/** The objects that earlier manifests brought and later ones do not, but for kinds that users depend on. */
export function droppedObjects(
  before: readonly ManifestIdentity[],
  after: readonly ManifestIdentity[],
): readonly ManifestIdentity[] {
  const wanted = new Set(after.map(key));
  const dropped = new Map(before.map((identity) => [key(identity), identity]));
  return [...dropped].filter(([id, object]) => !wanted.has(id) && !isKept(object)).map(([, identity]) => identity);
}

/** The account that every namespace has is Kubernetes' own, whoever names it. */
function isKept({ kind, name }: ManifestIdentity): boolean {
  return kept.has(kind) || (kind === 'ServiceAccount' && name === 'default');
}

/** A kind that moved to another version of its group is the same object. */
function key({ apiVersion, kind, name, namespace }: ManifestIdentity): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return [group, kind, namespace ?? '', name].join('/');
}
