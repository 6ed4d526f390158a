import type * as z from 'zod';
import { ProtocolError } from './errors.ts';

/** The parsed body of an answer. @throws ProtocolError where it is not of the documented shape */
export function shaped<T>(schema: z.ZodType<T>, body: unknown, service: string): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  const at = where === '' ? '' : ` at ${where.slice(0, 100)}`;
  throw new ProtocolError(`OpenStack ${service} sent an answer that is not of the documented shape${at}.`, {
    service,
    cause: parsed.error,
  });
}
