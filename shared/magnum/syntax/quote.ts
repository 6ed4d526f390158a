/** A status_reason is read in a terminal: longer values are cut. */
const maximumEcho = 60;

export function clip(text: string): string {
  return text.length > maximumEcho ? `${text.slice(0, maximumEcho).toWellFormed()}…` : text;
}

/** A value as a message shows it: quoted, cut, control characters escaped. */
export function quote(text: string): string {
  return JSON.stringify(clip(text));
}
