import { oneLine } from './output/one-line.ts';

/** The command line asks for what makes no sense: exit code 2, and a hint at `--help`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** One sentence for standard error. */
export function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message || String(error.cause ?? error.name) : String(error);
  const line = oneLine(text);
  return /[.!?\u2026]$/.test(line) ? line : `${line}.`;
}
