import * as z from 'zod';
import type { PostAnswer } from '../../shared/event/post-event.ts';

const complete = z.object({ state: z.literal('COMPLETE'), action: z.enum(['CREATE', 'UPDATE', 'DELETE']) });

/** Whether an answer of the status function carries a report that an operation on the cluster is complete. */
export function saysComplete({ body }: PostAnswer): boolean {
  return body.byteLength > 0 && complete.safeParse(JSON.parse(Buffer.from(body).toString('utf8'))).success;
}
