import { UsageError } from './errors.ts';

/** The value of an option that is to be an address of the web, as it is. @throws UsageError that names the option */
export function webAddress(option: string, text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new UsageError(`The ${option} is no address that begins with http:// or https://.`);
}
