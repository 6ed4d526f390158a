/** The release lines that facts are known for, such as `v3.32`, in their order. */
export function linesOf<Facts extends object>(facts: Facts): readonly (keyof Facts & string)[] {
  const isLine = (text: string): text is keyof Facts & string => Object.hasOwn(facts, text);
  return Object.keys(facts).filter(isLine);
}

/**
 * The line that a tag belongs to.
 * @param project its name, for the error
 * @throws RangeError for a tag of no supported line, which the label's syntax refuses
 */
export function lineOf<Line extends string>(project: string, lines: readonly Line[], tag: string): Line {
  const line = lines.find((one) => one === tag.slice(0, tag.lastIndexOf('.')));
  if (line === undefined) throw new RangeError(`${project} ${tag} is of no line that is known here`);
  return line;
}
