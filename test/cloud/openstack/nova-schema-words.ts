import * as z from 'zod';
import { ApiError } from './api.ts';

/** A body of the right shape. @throws ApiError 400 in the words of Nova's schema check, which are Python's jsonschema's */
export function parseAsNova<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // What is missing comes first.
  const issue = issues.find(({ input }) => input === undefined) ?? issues[0];
  throw new ApiError(400, issue === undefined ? 'Malformed request body' : refusal(issue, body));
}

function refusal(issue: z.core.$ZodIssue, body: unknown): string {
  const { path, input } = issue;
  if (input === undefined) {
    const parent = path.slice(0, -1);
    return words(parent, valueAt(body, parent), `'${String(path.at(-1))}' is a required property.`);
  }
  return words(path, input, reason(issue, inPython(input)));
}

function words(path: readonly PropertyKey[], value: unknown, complaint: string): string {
  const shown = typeof value === 'string' ? value : inPython(value);
  return `Invalid input for field/attribute ${String(path.at(-1))}. Value: ${shown}. ${complaint}`;
}

function reason(issue: z.core.$ZodIssue, shown: string): string {
  if (issue.code === 'invalid_value') return `${shown} is not one of ${inPython(issue.values)}`;
  if (issue.code === 'too_small') return `${shown} should be non-empty`;
  if (issue.code === 'too_big') return `${shown} is too long`;
  if (issue.code !== 'unrecognized_keys') return `${shown} ${issue.message}`;
  const keys = issue.keys.map(inPython).join(', ');
  return `Additional properties are not allowed (${keys} ${issue.keys.length === 1 ? 'was' : 'were'} unexpected)`;
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  const fields = z.record(z.string(), z.unknown());
  return path.reduce<unknown>((value, key) => fields.safeParse(value).data?.[String(key)], body);
}

/** A value as Python writes it in messages. */
function inPython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inPython).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object' || value === null) return value === null ? 'None' : String(value);
  return `{${Object.entries(value)
    .map(([key, field]) => `'${key}': ${inPython(field)}`)
    .join(', ')}}`;
}
