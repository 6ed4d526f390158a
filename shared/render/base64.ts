/** UTF-8 text in base64. */
export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
