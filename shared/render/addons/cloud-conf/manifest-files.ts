import { boolYaml11Tag, CORE_SCHEMA, floatYaml11Tag, intYaml11Tag, loadAll, mergeTag, nullYaml11Tag } from 'js-yaml';

/** Manifests as a resource set's Secret holds them: YAML of several documents by the Secret's key. */
export type ManifestFiles = Readonly<Record<string, string>>;

/** Cluster API reads YAML 1.1, in which `0644` is octal; a date stays text there. */
const schema = CORE_SCHEMA.withTags(boolYaml11Tag, intYaml11Tag, floatYaml11Tag, nullYaml11Tag, mergeTag);

const separator = '\n---\n';

/** The documents of a file; none where it is no YAML, which Cluster API cannot apply either. */
export function readDocuments(text: string): readonly unknown[] {
  return readJsonDocuments(text) ?? readYamlDocuments(text);
}

/** What this driver has written, read in a fraction of the time; null where it is anything else. */
function readJsonDocuments(text: string): readonly unknown[] | null {
  if (!text.startsWith('{')) return null;
  try {
    return text.split(separator).map((document): unknown => JSON.parse(document));
  } catch {
    return null;
  }
}

function readYamlDocuments(text: string): readonly unknown[] {
  try {
    return loadAll(text, { schema });
  } catch {
    return [];
  }
}

/**
 * The files of which a document changes, with the change.
 * @param change the document as it shall be; the same one where nothing changes
 */
export function changeDocuments(files: ManifestFiles, change: (document: unknown) => unknown): Record<string, string> {
  const changed: Record<string, string> = {};
  for (const [key, text] of Object.entries(files)) {
    const documents = readDocuments(text);
    const wanted = documents.map(change);
    if (wanted.some((document, index) => document !== documents[index])) changed[key] = writeDocuments(wanted);
  }
  return changed;
}

/** JSON is YAML, in which every text stays text for readers of YAML 1.1 too, and it is written in a fraction of the time. */
export function writeDocuments(documents: readonly unknown[]): string {
  return documents
    .filter((document) => document !== null && document !== undefined)
    .map((document) => JSON.stringify(document))
    .join(separator);
}

/** Bytes of a document within such a file. */
export function documentSize(document: unknown): number {
  return Buffer.byteLength(JSON.stringify(document)) + separator.length;
}
