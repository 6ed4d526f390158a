import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as z from 'zod';

const entry = z.object({
  user: z.object({ username: z.string() }),
  objectRef: z.object({ resource: z.string() }).optional(),
});

/** The create function's ServiceAccount. */
const user = 'system:serviceaccount:magnum-system:magnum-create';

export interface CallCount {
  /** TokenReviews and SubjectAccessReviews. */
  readonly reviews: number;
  readonly work: number;
}

/** How many calls the API server has seen from the create function. */
export async function callsInAuditLog(path: string): Promise<CallCount> {
  const count = { reviews: 0, work: 0 };
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { user: caller, objectRef } = entry.parse(JSON.parse(line));
    if (caller.username !== user) continue;
    count[objectRef?.resource.endsWith('reviews') === true ? 'reviews' : 'work'] += 1;
  }
  return count;
}
