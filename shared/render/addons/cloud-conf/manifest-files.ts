import {
  boolYaml11Tag,
  CORE_SCHEMA,
  dump,
  floatYaml11Tag,
  intYaml11Tag,
  loadAll,
  mergeTag,
  nullYaml11Tag,
} from 'js-yaml';

/** Manifests as a resource set's Secret holds them: YAML of several documents by the Secret's key. */
export type ManifestFiles = Readonly<Record<string, string>>;

/** Cluster API reads YAML 1.1, in which `0644` is octal; a date stays text there. */
const schema = CORE_SCHEMA.withTags(boolYaml11Tag, intYaml11Tag, floatYaml11Tag, nullYaml11Tag, mergeTag);

/** The documents of a file; none where it is no YAML, which Cluster API cannot apply either. */
export function readDocuments(text: string): readonly unknown[] {
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

/** Every text is quoted, so that it stays text for readers of YAML 1.1. */
function writeDocuments(documents: readonly unknown[]): string {
  return documents
    .filter((document) => document !== null && document !== undefined)
    .map((document) => dump(document, { forceQuotes: true, quoteStyle: 'double', lineWidth: -1, noRefs: true }))
    .join('---\n');
}
