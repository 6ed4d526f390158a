import { textAt } from '../views/json-part.ts';

/** How gophercloud, and so CAPO, quotes an answer of OpenStack (provider_client errors): with its URL and the whole body. */
const quotedAnswer =
  /Expected HTTP response code \[?[\d ]*\]? when accessing \[\w+ [^\]\s]+\], but got (\d{3}) instead:?\s*(\{.*\})?/s;

/** The text with OpenStack's own words in the place of a quoted answer; a user has no use for the rest of it. */
export function withCloudWords(text: string): string {
  return text.replace(quotedAnswer, (_quoted, status: string, body = '') => {
    const words = wordsOf(body);
    return words === null ? `HTTP ${status} ${body}` : `${words.trim().replace(/\.$/, '')} (HTTP ${status})`;
  });
}

/** `{"forbidden": {"message": …}}` of Nova, `{"NeutronError": {"message": …}}`, `{"faultstring": …}` of Octavia. */
function wordsOf(body: string): string | null {
  try {
    const answer: unknown = JSON.parse(body);
    const parts = typeof answer === 'object' && answer !== null ? [answer, ...Object.values(answer)] : [];
    return (
      parts.map((part) => textAt(part, 'message') ?? textAt(part, 'faultstring')).find((one) => one !== null) ?? null
    );
  } catch {
    return null;
  }
}
