import * as z from 'zod';
import { KubernetesError } from '../../shared/kubernetes/errors.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';
import { type Finding, failure } from './check.ts';
import type { Surroundings } from './surroundings.ts';

const resourceList = z.object({ resources: z.array(z.object({ name: z.string(), kind: z.string() })).default([]) });

/** A failure for each of the kinds that the API server does not serve. */
export async function unservedKinds(
  { api, signal }: Surroundings,
  types: readonly ResourceType[],
): Promise<readonly Finding[]> {
  const versions = [...new Set(types.map(({ apiVersion }) => apiVersion))];
  const served = new Map(
    await Promise.all(
      versions.map(async (version) => {
        const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
        const { resources } = await api.read(root, resourceList, signal).catch(nothingWhereUnserved);
        return [version, new Set(resources.map(({ name, kind }) => `${kind} ${name}`))] as const;
      }),
    ),
  );
  return types
    .filter(({ apiVersion, kind, plural }) => served.get(apiVersion)?.has(`${kind} ${plural}`) !== true)
    .map(({ apiVersion, kind }) => failure(`${kind} of ${apiVersion} is not served.`));
}

function nothingWhereUnserved(error: unknown): z.output<typeof resourceList> {
  if (error instanceof KubernetesError && error.apiStatus === 404) return { resources: [] };
  throw error;
}
