const redacted = '[redacted]';

/** Levels below a logged object; what is deeper is no log line. */
const deepest = 6;
/** Characters of one logged text: a whole manifest or page does not belong into a log. */
const longestText = 4000;

const secretKey = /token|secret|passw|authorization|private_?key|cookie/i;

const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----[\s\S]*?(?:-----END \1PRIVATE KEY-----|$)/g, redacted],
  // Fernet tokens of Keystone, then signed tokens of Kubernetes and OpenID Connect.
  [/gAAAA[\w-]{16,}={0,2}/g, redacted],
  [/eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, redacted],
  [/\b(Bearer\s+)[\w.~+/=-]+/gi, `$1${redacted}`],
  [/(:\/\/[^\s/:@]{1,256}:)[^\s/@]+@/g, `$1${redacted}@`],
  [/((?:token|secret|password|authorization|private[_-]?key)["'\\]*\s*[:=]\s*["'\\]*)[^\s"'\\,;&]+/gi, `$1${redacted}`],
];

/** Text for a log or an answer: without anything that looks like a token, a password or a private key. */
export function redactText(text: string): string {
  const short = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  return secretTexts.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), short);
}

/** Fields for a log line: what stands under a secret's name is hidden at any depth, texts are cleaned, errors become fields. */
export function redactFields(fields: object): Record<string, unknown> {
  return redactObject(fields, deepest);
}

function redactValue(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (levels === 0) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redactValue(item, levels - 1));
  if (value instanceof Error) return errorFields(value, levels);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return '[bytes]';
  return redactObject(value, levels - 1);
}

function redactObject(fields: object, levels: number): Record<string, unknown> {
  const isSecret = 'kind' in fields && fields.kind === 'Secret';
  const isHidden = (key: string) => secretKey.test(key) || (isSecret && /^(?:string)?data$/i.test(key));
  const clean = Object.entries(fields).map(([key, value]) => [
    key,
    isHidden(key) ? redacted : redactValue(value, levels),
  ]);
  return Object.fromEntries(clean);
}

/** Only what every error has: clients hang requests and responses on theirs. */
function errorFields(error: Error, levels: number): Record<string, unknown> {
  const fields = { type: error.name, message: error.message, stack: error.stack };
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: error.cause };
  return redactObject({ ...fields, ...code, ...cause }, levels - 1);
}
