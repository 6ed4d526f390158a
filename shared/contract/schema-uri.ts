/** The `dataschema` of events of a type; the `$id` of the document in docs/schemas. */
export function schemaUri(type: string): string {
  return `urn:magnum-capi-functions:schema:${type}`;
}
