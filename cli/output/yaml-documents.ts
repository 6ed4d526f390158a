import { dump } from 'js-yaml';

/** YAML documents one after the other, as kubectl takes them; loads js-yaml, so only commands' own work imports it. */
export function yamlDocuments(documents: readonly unknown[]): string {
  return documents.map((document) => dump(document, { lineWidth: -1, noRefs: true })).join('---\n');
}
