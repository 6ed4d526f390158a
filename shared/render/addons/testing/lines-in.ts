/** The lines of a text, without the blanks around them and without empty ones. */
export function linesIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}
