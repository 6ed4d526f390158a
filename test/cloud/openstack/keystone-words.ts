import type * as z from 'zod';
import { ApiError } from './api.ts';

/** A body of the right shape. @throws ApiError 400 in the words of Keystone's schema check */
export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiError(400, `Invalid input for field '${issue?.path.join('/')}': ${issue?.message}`);
}

/** Keystone's refusal of an action that the policy forbids. */
export function forbidden(action: string): ApiError {
  return new ApiError(403, `You are not authorized to perform the requested action: ${action}.`);
}
