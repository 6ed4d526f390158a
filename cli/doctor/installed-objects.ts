import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { type Finding, failure } from './check.ts';
import { conditionProblem } from './condition.ts';
import type { Surroundings } from './surroundings.ts';

/** Names of the objects of a kind that an installation has. */
export function wantedNames({ manifests }: Surroundings, { apiVersion, kind }: ResourceType): readonly string[] {
  const wanted = manifests.filter((manifest) => manifest.apiVersion === apiVersion && manifest.kind === kind);
  return wanted.map(({ metadata }) => metadata.name);
}

/** Objects of a kind that are there. */
export function installed({ client, signal }: Surroundings, type: ResourceType): Promise<readonly CustomObject[]> {
  return client.list(type, { namespace, signal });
}

/** Those that an installation has and that are not there, or are and say that they are not ready. */
export async function readiness(surroundings: Surroundings, type: ResourceType): Promise<readonly Finding[]> {
  const names = wantedNames(surroundings, type);
  const objects = await installed(surroundings, type);
  const own = objects.filter(({ metadata }) => names.some((name) => isNamed(metadata?.name ?? '', name)));
  const missing = names
    .filter((name) => !own.some(({ metadata }) => isNamed(metadata?.name ?? '', name)))
    .map((name) => failure(`${type.kind} ${name} is missing.`));
  const unready = own.flatMap((object) => {
    const problem = conditionProblem(object, 'Ready');
    return problem === null ? [] : [failure(`${type.kind} ${object.metadata?.name} is not ready: ${problem}.`)];
  });
  return [...missing, ...unready];
}

/** A component may have several in the place of one, each with a name that begins with that. */
function isNamed(given: string, name: string): boolean {
  return given === name || given.startsWith(`${name}-`);
}
