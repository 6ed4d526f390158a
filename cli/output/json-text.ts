/**
 * JSON for scripts, and for whoever looks at it: no character of it is one that a terminal would obey.
 * @param indent 0 = all in one line
 */
export function jsonText(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(/\p{Cc}/gu, (control) =>
    control === '\n' ? control : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
