import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

const entry = z.object({
  user: z.object({ username: z.string() }),
  objectRef: z.object({ resource: z.string() }).optional(),
});

/** Milliseconds until the audit log holds every line. */
const auditDelay = 1_500;

export interface CallCount {
  /** TokenReviews and SubjectAccessReviews. */
  readonly reviews: number;
  readonly work: number;
}

/** How many calls the API server has seen until now from a function, e.g. `status`, by its ServiceAccount. */
export async function callsInAuditLog(path: string, functionName: string): Promise<CallCount> {
  await sleep(auditDelay);
  const user = `system:serviceaccount:magnum-system:magnum-${functionName}`;
  const count = { reviews: 0, work: 0 };
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (!line.includes(user)) continue;
    const { user: caller, objectRef } = entry.parse(JSON.parse(line));
    if (caller.username !== user) continue;
    count[objectRef?.resource.endsWith('reviews') === true ? 'reviews' : 'work'] += 1;
  }
  return count;
}
