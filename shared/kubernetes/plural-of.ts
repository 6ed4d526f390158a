/** The name under which a kind is served, by the rule that all kinds of the add-ons keep to; both in lower case. */
export function pluralOf(kind: string): string {
  if (kind.endsWith('y')) return `${kind.slice(0, -1)}ies`;
  return kind.endsWith('s') ? `${kind}es` : `${kind}s`;
}
