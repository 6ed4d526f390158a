import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { readManifests } from '../../local/manifests/read-manifests.ts';

const withSpec = z.looseObject({ spec: z.looseObject({}) });

/** Fields of the specs that are to be other ones, by `<kind>/<name>`. */
export type SpecChanges = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface AdaptedManifests {
  readonly path: string;
  remove(): Promise<void>;
}

/** The objects of knative/base in one file, some of them changed. @throws Error where one of these is not there */
export async function adaptManifests(changes: SpecChanges): Promise<AdaptedManifests> {
  const left = new Set(Object.keys(changes));
  const documents = (await readManifests()).map((manifest) => {
    const key = `${manifest.kind}/${manifest.metadata.name}`;
    const change = changes[key];
    if (change === undefined) return manifest;
    left.delete(key);
    return { ...manifest, spec: { ...withSpec.parse(manifest).spec, ...change } };
  });
  if (left.size > 0) throw new Error(`knative/base has no ${[...left].join(', ')}.`);
  const directory = await mkdtemp(join(tmpdir(), 'magnum-manifests-'));
  const path = join(directory, 'objects.yaml');
  // JSON is YAML.
  await writeFile(path, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
  return { path, remove: () => rm(directory, { recursive: true }) };
}
