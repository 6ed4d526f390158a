/** What a small configuration file holds. */
export interface YamlMapping {
  readonly [key: string]: string | number | boolean | YamlMapping;
}

/** Control characters and line ends that JSON leaves as they are, and YAML does not. */
const unwritable = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/**
 * A mapping as YAML: every text is quoted, so that it stays text, and its escapes are those of JSON, which YAML knows too. The
 * keys are plain words. A library's writer would be a tenth of a function's bundle.
 */
export function yamlMapping(mapping: YamlMapping, indent = ''): string {
  return Object.entries(mapping)
    .map(([key, value]) => {
      return typeof value === 'object'
        ? `${indent}${key}:\n${yamlMapping(value, `${indent}  `)}`
        : `${indent}${key}: ${scalar(value)}\n`;
    })
    .join('');
}

function scalar(value: string | number | boolean): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(unwritable, escaped);
}
