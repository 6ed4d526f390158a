import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compactCapoDefinitions } from './compact-capo-crds.ts';
import { type CustomResourceDefinition, readDefinitions } from './manifests.ts';

/** Beside the repository: the definitions of a release of Cluster API Provider OpenStack, which the Go module proxy lacks. */
const neighbour = fileURLToPath(new URL('../../../shared/crds/capo-v0.14.4', import.meta.url));

/** The contract that CAPO up to 0.14 fulfils (cluster-api-facts). */
const contract = { version: 'v1beta1', label: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' } };

export interface CapoDefinitions {
  /** `strict` as released, `compact` as written by hand. */
  readonly kind: 'strict' | 'compact';
  /** Where they come from, for the log. */
  readonly source: string;
  readonly definitions: readonly CustomResourceDefinition[];
}

/**
 * Reads CAPO's definitions from CAPO_CRDS_DIR, else from the folder beside the repository, else takes the compact ones.
 * @throws when that folder cannot be read or has none.
 */
export async function readCapoDefinitions(environment: NodeJS.ProcessEnv = process.env): Promise<CapoDefinitions> {
  const directory = environment['CAPO_CRDS_DIR'] || ((await isDirectory(neighbour)) ? neighbour : undefined);
  if (directory === undefined) {
    return { kind: 'compact', source: 'built in', definitions: compactCapoDefinitions().map(withContract) };
  }
  const definitions = (await readDefinitions(directory)).map(withContract);
  if (definitions.length === 0) {
    throw new Error(`The folder ${directory} has no CustomResourceDefinition in a .yaml file.`);
  }
  return { kind: 'strict', source: directory, definitions };
}

/** Without the label, Cluster API cannot tell which version of a kind to use. */
function withContract(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { metadata, spec } = definition;
  const fulfils = spec.versions.some((version) => version.name === contract.version);
  return fulfils ? { ...definition, metadata: { ...metadata, labels: contract.label } } : definition;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
