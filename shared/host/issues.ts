import type * as z from 'zod';

const shownIssues = 3;
/** Characters; keys of a record are the sender's own. */
const longestPath = 100;

/** The first few faults that a schema found, by path: never a value or a message, since either may hold a secret. */
export function describeIssues(error: z.ZodError): string {
  const shown = error.issues.slice(0, shownIssues).map(describeIssue);
  const more = error.issues.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.').slice(0, longestPath) || 'the whole';
  return issue.code === 'invalid_type' ? `${path} (expected ${issue.expected})` : path;
}
