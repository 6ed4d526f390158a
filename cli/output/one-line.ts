/** A text of others in one line, so that it looks like no other line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
