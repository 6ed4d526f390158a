/** Longest reason, in characters; Magnum's column takes more, but nobody reads it. */
const longestReason = 1000;

/** Sentences, the most important first, as one text: each once, and only whole ones. null where there are none. */
export function composeReason(sentences: readonly string[]): string | null {
  let reason = '';
  for (const sentence of new Set(sentences)) {
    const longer = reason === '' ? sentence : `${reason} ${sentence}`;
    if (longer.length > longestReason) break;
    reason = longer;
  }
  return reason === '' ? null : reason;
}

/** What is waited for, without what the failures have told already: their cause often stands in several conditions. */
export function withoutRepeats(blockers: readonly string[], failures: readonly string[]): string[] {
  return blockers.filter((blocker) => {
    const start = blocker.indexOf(': ');
    return start === -1 || !failures.some((failure) => failure.endsWith(blocker.slice(start)));
  });
}
