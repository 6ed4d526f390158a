import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import * as z from 'zod';

export const customResourceDefinition = z.looseObject({
  apiVersion: z.literal('apiextensions.k8s.io/v1'),
  kind: z.literal('CustomResourceDefinition'),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    group: z.string(),
    names: z.looseObject({ kind: z.string(), plural: z.string() }),
    versions: z.array(z.looseObject({ name: z.string(), served: z.boolean() })),
  }),
});
export type CustomResourceDefinition = z.infer<typeof customResourceDefinition>;

/** Reads the CustomResourceDefinitions in the YAML files of a folder. */
export async function readDefinitions(directory: string): Promise<CustomResourceDefinition[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.yaml')).sort();
  const documents = await Promise.all(files.map((file) => readDocuments(join(directory, file))));
  return documents.flat().map((document) => customResourceDefinition.parse(withoutDescriptions(document)));
}

export async function readDocuments(path: string): Promise<unknown[]> {
  return loadAll(await readFile(path, 'utf8')).filter((document) => document !== null);
}

/** Texts are three quarters of a definition, and the API server indexes them at each start. */
function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDescriptions);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const kept = Object.entries(value).filter(([key, field]) => key !== 'description' || typeof field !== 'string');
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutDescriptions(field)]));
}
