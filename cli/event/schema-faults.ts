import type * as z from 'zod';
import type { Fault } from '../../shared/contract/errors.ts';

/** Every fault that a schema found, by path: never the value, which may be secret. */
export function schemaFaults(error: z.ZodError): readonly Fault[] {
  return error.issues.map((issue) => {
    const field = issue.path.map(String).join('.');
    const subject = field === '' ? 'The data' : `Field ${field}`;
    return { code: 'invalid_field', message: `${subject} ${problemOf(issue)}.`, ...(field === '' ? {} : { field }) };
  });
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `has what is not known: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_type') return `is missing or no ${issue.expected}`;
  return issue.code === 'invalid_format' && issue.format === 'regex' ? issue.message : 'is not valid';
}
