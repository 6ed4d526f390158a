/** Options by section, of an oslo.config file. */
export type Sections = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

export function ini(sections: Sections): string {
  const blocks = Object.entries(sections).map(([name, options]) => {
    // oslo.config reads $ as the beginning of another option's name.
    const lines = Object.entries(options).map(([key, value]) => `${key} = ${String(value).replaceAll('$', '$$$$')}`);
    return [`[${name}]`, ...lines, ''].join('\n');
  });
  return blocks.join('\n');
}
