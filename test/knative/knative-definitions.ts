import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Manifest } from '../../local/manifests/read-manifests.ts';
import { type CustomResourceDefinition, readDefinitions } from '../env/manifests.ts';
import { namespacedDefinition } from '../env/namespaced-definition.ts';
import { compactDefinition } from './compact-definitions.ts';

/** Beside the repository: the definitions of releases of Knative. */
const neighbours = ['knative-eventing', 'knative-serving'].map((name) =>
  fileURLToPath(new URL(`../../../shared/crds/${name}`, import.meta.url)),
);

/** Definitions of kinds of Knative, and of Prometheus' operator. */
interface KnativeDefinitions {
  readonly definitions: readonly CustomResourceDefinition[];
  /** Kinds that have no definition at hand: theirs take every field. */
  readonly lenient: readonly string[];
}

const groups = /^(?:.*\.knative\.dev|monitoring\.coreos\.com)$/;

/** Definitions of the kinds in use that Kubernetes lacks: strict where they are at hand, else such that take every field. */
export async function knativeDefinitions(manifests: readonly Manifest[]): Promise<KnativeDefinitions> {
  const released = (await Promise.all(neighbours.map(readFolder))).flat().map(withoutConversion);
  const used = manifests.filter(({ apiVersion }) => groups.test(apiVersion.split('/')[0] ?? ''));
  const names = new Map(used.map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }]));
  const kinds = [...names.values()].map(({ apiVersion, kind }) => {
    const [group = '', version = ''] = apiVersion.split('/');
    const ofRelease = released.find(({ spec }) => spec.group === group && spec.names.kind === kind);
    const strict = ofRelease ?? compactDefinition(group, version, kind);
    return { kind, isStrict: strict !== undefined, definition: strict ?? lenientDefinition(group, version, kind) };
  });
  return {
    definitions: kinds.map(({ definition }) => definition),
    lenient: kinds.filter(({ isStrict }) => !isStrict).map(({ kind }) => kind),
  };
}

async function readFolder(folder: string): Promise<CustomResourceDefinition[]> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere ? readDefinitions(folder) : [];
}

/** Knative's own webhook is not here to convert between versions. */
function withoutConversion(definition: CustomResourceDefinition): CustomResourceDefinition {
  return { ...definition, spec: { ...definition.spec, conversion: { strategy: 'None' } } };
}

/** The definition of a kind whose objects may have any field. */
export function lenientDefinition(group: string, version: string, kind: string): CustomResourceDefinition {
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return namespacedDefinition({ group, version, kind, schema });
}
