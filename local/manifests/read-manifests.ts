import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAll } from 'js-yaml';
import * as z from 'zod';

/** The objects that an installation on Knative has. */
const knativeBase = fileURLToPath(new URL('../../knative/base', import.meta.url));

const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});

/** An object as it stands in YAML. */
export type Manifest = z.infer<typeof manifest>;

/** What of kustomize is understood here; `images` change nothing outside a container. */
const kustomization = z.strictObject({
  apiVersion: z.string().optional(),
  kind: z.literal('Kustomization').optional(),
  resources: z.array(z.string()).default([]),
  images: z.unknown().optional(),
});

/**
 * The objects of a YAML file, or of a folder with a kustomization.yaml and what it lists.
 * @param path @default knative/base
 * @throws Error for a kustomization that does more than list: what `kubectl kustomize` prints can be given as a file.
 */
export async function readManifests(path = knativeBase): Promise<readonly Manifest[]> {
  const isFolder = (await stat(path)).isDirectory();
  return isFolder ? readFolder(path) : (await readDocuments(path)).map((document) => manifest.parse(document));
}

async function readFolder(folder: string): Promise<readonly Manifest[]> {
  const file = join(folder, 'kustomization.yaml');
  const [document] = await readDocuments(file);
  const parsed = kustomization.safeParse(document);
  if (!parsed.success) {
    throw new Error(
      `${file} does more than list resources: give the file that "kubectl kustomize ${folder}" prints instead.`,
    );
  }
  const lists = await Promise.all(parsed.data.resources.map((resource) => readManifests(join(folder, resource))));
  return lists.flat();
}

async function readDocuments(file: string): Promise<unknown[]> {
  return loadAll(await readFile(file, 'utf8')).filter((document) => document !== null && document !== undefined);
}
